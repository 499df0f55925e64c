// `pawl graph`: the Actions of a version and what they need, as text for Mermaid or Graphviz.
import type { Procedure } from '@pawl/reconciler';

export const GRAPH_FORMATS = ['mermaid', 'dot'] as const;
export type GraphFormat = (typeof GRAPH_FORMATS)[number];

interface Graph {
  readonly nodes: readonly { readonly name: string; readonly isChange: boolean; readonly isFinal: boolean }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly alias: string; readonly isAlternative: boolean }[];
}

/** The graph of a procedure, in the chosen notation. An arrow points from what is needed to what needs it. */
export function drawGraph(procedure: Procedure<never>, format: GraphFormat): string {
  const graph = graphOf(procedure);
  return format === 'mermaid' ? mermaid(graph) : dot(procedure.version, graph);
}

function graphOf({ actions }: Procedure<never>): Graph {
  const all = [...actions.values()];
  return {
    nodes: all.map(({ name, level, stage }) => ({ name, isChange: level === 'change', isFinal: stage === 'finalize' })),
    edges: all.flatMap(({ name, requires, alternatives }) => [
      ...Object.entries(requires).map(([alias, action]) => ({ from: action.name, to: name, alias, isAlternative: false })),
      ...Object.entries(alternatives).map(([alias, action]) => ({ from: action.name, to: name, alias, isAlternative: true })),
    ]),
  };
}

function mermaid({ nodes, edges }: Graph): string {
  return [
    'flowchart LR',
    ...nodes.map(({ name, isChange, isFinal }) => `  ${name}${isFinal ? `[[${name}]]` : isChange ? `[${name}]` : `(${name})`}`),
    ...edges.map(({ from, to, alias, isAlternative }) => `  ${from} ${isAlternative ? '-.->' : '-->'}|${alias}| ${to}`),
    '',
  ].join('\n');
}

function dot(version: string, { nodes, edges }: Graph): string {
  const shape = ({ isChange, isFinal }: Graph['nodes'][number]): string => (isFinal ? 'doubleoctagon' : isChange ? 'box' : 'ellipse');
  return [
    `digraph "${version}" {`,
    '  rankdir=LR;',
    ...nodes.map((node) => `  "${node.name}" [shape=${shape(node)}];`),
    ...edges.map(({ from, to, alias, isAlternative }) => `  "${from}" -> "${to}" [label="${alias}"${isAlternative ? ' style=dashed' : ''}];`),
    '}',
    '',
  ].join('\n');
}
