// A plugin as a program of its own: a group of members and a sink for entries, in memory, behind JSON-RPC 2.0 over HTTP.
//
//   node server.ts [--port 9000] [--members h1,h2,h3]
//
// It prints its address. `PUT /members` with a JSON list of ids changes the group, `GET /entries` shows the sink.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';

interface Entry {
  readonly ID: string;
  readonly LogicalID?: string;
  readonly Tags: Readonly<Record<string, string>>;
  readonly Properties?: unknown;
}

/** Thrown for what a caller did wrong; the code is JSON-RPC's. */
class CallError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Params = Readonly<Record<string, never>>;

const { values } = parseArgs({
  options: { port: { type: 'string', default: '9000' }, members: { type: 'string', default: '' } },
});
const entries = new Map<string, Entry>();
let members: readonly string[] = values.members.split(',').filter((id) => id !== '');
let count = 0;

const methods: Readonly<Record<string, (params: Params) => unknown>> = {
  'Group.DescribeGroup': ({ ID }) => ({
    ID,
    Description: {
      Instances: members.map((id) => ({
        ID: id,
        Tags: {},
        Properties: { address: `10.0.0.${id.replace(/\D/g, '')}` },
      })),
      Converged: true,
    },
  }),
  'Instance.DescribeInstances': ({ Type, Tags = {} }) => ({
    Type,
    Descriptions: [...entries.values()].filter((entry) =>
      Object.entries(Tags).every(([name, value]) => entry.Tags[name] === value),
    ),
  }),
  'Instance.Provision': ({ Type, Spec }) => {
    const { LogicalID, Tags = {}, Properties } = Spec as Partial<Entry>;
    // The same attempt made twice, as after a lost answer, makes one entry.
    const known =
      LogicalID === undefined ? undefined : [...entries.values()].find((entry) => entry.LogicalID === LogicalID);
    if (known !== undefined) return { Type, ID: known.ID };
    const ID = `entry-${(count += 1)}`;
    entries.set(ID, { ID, Tags, Properties, ...(LogicalID === undefined ? {} : { LogicalID }) });
    return { Type, ID };
  },
  'Instance.Label': ({ Type, Instance, Labels }) => {
    const entry = entries.get(Instance);
    if (entry === undefined) throw new CallError(-32_000, `no instance ${String(Instance)}`);
    entries.set(Instance, { ...entry, Tags: { ...entry.Tags, ...(Labels as object) } });
    return { Type, OK: true };
  },
  'Instance.Destroy': ({ Type, Instance }) => {
    entries.delete(Instance);
    return { Type, OK: true };
  },
};

const server = createServer((request, response) => {
  handle(request).then(
    (answer) => send(response, 200, answer),
    (error: unknown) => send(response, 500, { error: String(error) }),
  );
});

async function handle(request: IncomingMessage): Promise<unknown> {
  if (request.method === 'GET' && request.url === '/entries') return [...entries.values()];
  const text = await read(request);
  if (request.method === 'PUT' && request.url === '/members') return (members = JSON.parse(text) as readonly string[]);
  return call(text);
}

function call(text: string): unknown {
  let id: unknown = null;
  try {
    const {
      id: given = null,
      method = '',
      params = {},
    } = JSON.parse(text) as { id?: unknown; method?: string; params?: Params };
    id = given;
    const run = methods[method];
    if (run === undefined) throw new CallError(-32_601, `no method ${method}`);
    return { jsonrpc: '2.0', id, result: run(params) };
  } catch (error) {
    const code = error instanceof CallError ? error.code : -32_603;
    return { jsonrpc: '2.0', id, error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : values.port;
  console.log(`http://127.0.0.1:${port}`);
});
