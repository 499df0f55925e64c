// The rules that hold across packages: who may import whom, what is pure, how large a file may be.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles } from './architecture/cycles.ts';
import {
  exportsOf,
  packageOf,
  readPackages,
  ROOT,
  targetOf,
  type SourceFile,
  type SourcePackage,
} from './architecture/sources.ts';

const packages = readPackages();
const ours = packages.flatMap(({ files }) => files).filter(({ isTest }) => !isTest);
const engine = sourcesIn('packages/reconciler/src').filter(({ path }) => !/\/src\/(kubernetes|testing)\//.test(path));

/** What each package may import of the others. Whatever is missing here may import nothing. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  '@pawl/reconciler': [],
  '@pawl/kube-api': [],
  '@pawl/operator': ['@pawl/reconciler'],
  '@pawl/testkit': ['@pawl/reconciler', '@pawl/operator', '@pawl/kube-api'],
  '@pawl/cli': ['@pawl/reconciler', '@pawl/operator', '@pawl/kube-api', '@pawl/testkit'],
};
/** Packages of procedures know the engine and nothing of the runtime. */
const PROCEDURES = ['@pawl/reconciler'];
/** Packages that may be missing where a package runs, each with the one file that asks for it, by `import()`. */
const OPTIONAL: Readonly<Record<string, string>> = { '@opentelemetry/api': 'packages/operator/src/observe/open-telemetry.ts' };
/** What tests may import on top. */
const TESTS_MAY_IMPORT = ['@pawl/kube-api', '@pawl/testkit'];

/** The only files that touch real time, chance, the process or the network's own timers; benches measure it. */
const PORT_FILES = [
  'packages/kube-api/src/bench.ts',
  'packages/operator/src/bench.ts',
  'packages/reconciler/src/runtime.ts',
  'packages/kube-api/src/ports.ts',
  'packages/operator/src/random.ts',
  'packages/operator/src/watchdog/watchdog-thread.ts',
  'packages/cli/src/node-ports.ts',
  'packages/testkit/src/bench.ts',
  // These two watch that a run does not touch what the rule forbids, and how long exploring takes.
  'packages/testkit/src/explore/stopwatch.ts',
  'packages/testkit/src/world/tripwire.ts',
  'packages/cli/src/main.ts',
];
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|(?<![.\w])setTimeout\(|(?<![.\w])setInterval\(|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b|\bAbortSignal\.timeout\b|(?<![-.\w'])process\.(?!versions\b)/;

const MAX_LINES = 300;

interface Manifest {
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

describe('the scan', () => {
  it('sees the workspace, or the rules below would hold for nothing', () => {
    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(MAY_IMPORT).filter((name) => name !== '@pawl/testkit')),
    );
    expect(packages.every(({ files }) => files.some(({ imports }) => imports.length > 0))).toBe(true);
  });
});

describe('packages', () => {
  it('import each other only in the allowed direction', () => {
    const faults = eachImport(packages, ({ name, folder }, file, specifier) => {
      const other = packageOf(specifier);
      if (!other.startsWith('@pawl/') || other === name) return [];
      const allowed = MAY_IMPORT[name] ?? (/^(packages\/procedures|examples)\//.test(folder) ? PROCEDURES : []);
      const isAllowed = allowed.includes(other) || (file.isTest && TESTS_MAY_IMPORT.includes(other));
      return isAllowed
        ? []
        : [`${file.path} imports ${other}; ${name} may import ${allowed.join(', ') || 'no package'}`];
    });
    expect(faults).toEqual([]);
  });

  it('reach each other only through entry points', () => {
    const known = new Set(packages.flatMap(({ entryPoints }) => [...entryPoints.keys()]));
    const faults = eachImport(packages, ({ folder }, file, specifier) => {
      if (specifier.startsWith('@pawl/'))
        return known.has(specifier) ? [] : [`${file.path} imports ${specifier}, which is no entry point`];
      if (!specifier.startsWith('.')) return [];
      const target = targetOf(file, { specifier, isType: false });
      return target.startsWith(`${folder}/src/`) ? [] : [`${file.path} reaches ${target}, outside of its package`];
    });
    expect(faults).toEqual([]);
  });

  it('import nothing that their manifest does not name', () => {
    const faults = eachImport(packages, ({ name, dependencies, looseDependencies }, file, specifier, isType) => {
      // The `$` is in programs that a test writes.
      if (/^(\.|\$|node:)/.test(specifier) || specifier === 'vitest') return [];
      const other = packageOf(specifier);
      const isNamed =
        other === name ||
        dependencies.includes(other) ||
        ((file.isTest || isType || OPTIONAL[other] === file.path) && looseDependencies.includes(other));
      return isNamed ? [] : [`${file.path} imports ${other}, which ${name} does not depend on`];
    });
    expect(faults).toEqual([]);
  });

  it('begin without what may be missing', () => {
    for (const [name, path] of Object.entries(OPTIONAL)) {
      const owner = packages.find(({ files }) => files.some((file) => file.path === path));
      const manifest = JSON.parse(readFileSync(join(ROOT, owner?.folder ?? '', 'package.json'), 'utf8')) as Manifest;
      expect(manifest.peerDependenciesMeta?.[name]).toEqual({ optional: true });
      expect(Object.keys(manifest.peerDependencies ?? {})).toContain(name);
      const code = owner?.files.find((file) => file.path === path)?.code ?? '';
      expect(code).toContain(`import('${name}')`);
      expect(code).not.toMatch(new RegExp(`^(?:import|export) (?!type ).* from '${name}'`, 'm'));
    }
  });
});

describe('the engine', () => {
  it('knows no Kubernetes and no test doubles', () => {
    const faults = engine.flatMap((file) =>
      file.imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map((imported) => targetOf(file, imported))
        .filter((target) => /\/src\/(kubernetes|testing)\//.test(target))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(faults).toEqual([]);
  });

  it('depends on semver only, on node:crypto in one file, and on client-node for types', () => {
    const used = sourcesIn('packages/reconciler/src').flatMap((file) =>
      file.imports
        .filter(
          ({ specifier, isType }) => !specifier.startsWith('.') && !(isType && specifier === '@kubernetes/client-node'),
        )
        .map(({ specifier }) => ({ specifier, path: file.path })),
    );
    expect([...new Set(used.map(({ specifier }) => specifier))].sort()).toEqual(['node:crypto', 'semver']);
    expect(new Set(used.filter(({ specifier }) => specifier === 'node:crypto').map(({ path }) => path)).size).toBe(1);
  });
});

describe('every source file', () => {
  it('is free of import cycles, types included', () => {
    const graph = new Map(
      packages.flatMap(({ files }) =>
        files.map((file) => {
          const local = file.imports.filter(({ specifier }) => specifier.startsWith('.'));
          return [file.path, local.map((imported) => targetOf(file, imported))] as const;
        }),
      ),
    );
    expect(importCycles(graph)).toEqual([]);
  });

  it('takes time, chance and the process from outside', () => {
    const faults = ours
      .filter(({ path }) => !PORT_FILES.includes(path))
      .flatMap(({ path, code }) =>
        code.split('\n').flatMap((text) => (IMPURE.test(text) ? [`${path}: ${text.trim()}`] : [])),
      );
    expect(faults).toEqual([]);
  });

  it('has one idea: at most 300 lines', () => {
    const lengths = ours.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }));
    expect(lengths.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  });

  it('says in its first line what it is', () => {
    const silent = ours.filter(({ text }) => !/^(#!.*\n)?(\/\/ \S|\/\*\* \S)/.test(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('exports by name, except where a package of procedures is the value', () => {
    const defaults = ours.filter(({ code }) => /^export default\b/m.test(code)).map(({ path }) => path);
    expect(defaults.filter((path) => !/^(packages\/procedures|examples)\//.test(path))).toEqual([]);
    expect(ours.filter((file) => exportsOf(file).includes('*')).map(({ path }) => path)).toEqual([]);
  });
});

describe('the container', () => {
  it('is known to the composition root of the operator only', () => {
    const users = ours
      .filter(({ imports }) =>
        imports.some(({ specifier }) => ['inversify', 'reflect-metadata'].includes(packageOf(specifier))),
      )
      .map(({ path }) => path);
    expect(users.filter((path) => !path.startsWith('packages/operator/src/wiring/'))).toEqual([]);
  });
});

describe('the public surface', () => {
  it('grows only on purpose', () => {
    const counts = packages.flatMap(({ entryPoints, files }) =>
      [...entryPoints].flatMap(([specifier, path]) => {
        const file = files.find((candidate) => candidate.path === path);
        return file === undefined ? [] : [`${specifier}: ${exportsOf(file).length} names`];
      }),
    );
    expect(counts.filter((text) => !text.startsWith('@pawl/example'))).toMatchInlineSnapshot(`
      [
        "@pawl/cli: 11 names",
        "@pawl/kube-api: 51 names",
        "@pawl/kube-api/bench: 4 names",
        "@pawl/operator: 51 names",
        "@pawl/operator/bench: 5 names",
        "@pawl/reconciler: 164 names",
        "@pawl/reconciler/kubernetes: 127 names",
        "@pawl/reconciler/testing: 7 names",
        "@pawl/testkit: 81 names",
        "@pawl/procedures-enrollment: 16 names",
        "@pawl/procedures-enrollment/bench: 3 names",
      ]
    `);
  });
});

function sourcesIn(folder: string): readonly SourceFile[] {
  return ours.filter(({ path }) => path.startsWith(`${folder}/`));
}

function eachImport(
  from: readonly SourcePackage[],
  judge: (owner: SourcePackage, file: SourceFile, specifier: string, isType: boolean) => readonly string[],
): readonly string[] {
  return from.flatMap((owner) =>
    owner.files.flatMap((file) =>
      file.imports.flatMap(({ specifier, isType }) => judge(owner, file, specifier, isType)),
    ),
  );
}
