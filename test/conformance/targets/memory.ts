// The in-memory API as a target: a fresh server for each row, in process or behind a loopback port.
import { createApiServer, startActors } from '@pawl/kube-api';
import type { Clock, Transport } from '@pawl/kube-api';
import { connect } from '../../control-plane/connect.ts';
import { ManualClock, realClock, realTime } from '../clocks.ts';
import type { Need, Row } from '../row.ts';
import { sharedDefinitions } from '../rows/definitions.ts';
import { notInMemory } from '../target.ts';
import type { Session, Target } from '../target.ts';
import { prepare } from './prepare.ts';

/** In process. Time is virtual: whatever a row waits for takes no real time. */
export function memoryTarget(version: string): Target {
  const lacks = (need: Need): string | undefined =>
    need === 'text' ? 'callers in process pass values, not text' : notInMemory[need];
  return {
    name: 'memory',
    version,
    minor: minorOf(version),
    parallel: 1,
    shared: false,
    lacks,
    close: () => Promise.resolve(),
    open,
  };

  async function open(row: Row): Promise<Session> {
    const clock = new ManualClock();
    const { server, namespace, stop } = await serve(row, version, clock, (ms) => clock.advance(ms));
    return {
      namespace,
      transport: (user) => whileTimePasses(server.as(users[user]), clock),
      sendText: () => Promise.reject(new Error('callers in process pass values, not text')),
      pass: (ms) => clock.advance(ms),
      forget: () => forget(server),
      setStorage: noStorage,
      close: async () => {
        const stopped = stop();
        await clock.advance(0);
        await stopped;
      },
    };
  }
}

/** Virtual time goes on while a request waits for a webhook, at the pace of real time, for the webhook is really elsewhere. */
function whileTimePasses(transport: Transport, clock: ManualClock): Transport {
  const request: Transport['request'] = async (sent) => {
    let answered = false;
    const answer = transport.request(sent).finally(() => {
      answered = true;
    });
    await clock.advance(0);
    while (!answered) {
      await realTime(10);
      await clock.advance(10);
    }
    return answer;
  };
  return { request, watch: transport.watch };
}

/** Over HTTP on a loopback port, in real time. */
export function httpTarget(version: string): Target {
  const lacks = (need: Need): string | undefined => notInMemory[need];
  return {
    name: 'http',
    version,
    minor: minorOf(version),
    parallel: 8,
    shared: false,
    lacks,
    close: () => Promise.resolve(),
    open,
  };

  async function open(row: Row): Promise<Session> {
    const { server, namespace, stop } = await serve(row, version, realClock, realTime);
    const listening = await server.listen({ port: 0 });
    const admin = connect(listening.url, { token: 'admin' });
    const nobody = connect(listening.url, { token: 'nobody' });
    return {
      namespace,
      transport: (user) => (user === 'admin' ? admin : nobody),
      sendText: admin.sendText,
      pass: realTime,
      forget: () => forget(server),
      setStorage: noStorage,
      close: async () => {
        await Promise.all([admin.close(), nobody.close()]);
        await stop();
        await listening.close();
      },
    };
  }
}

const users = { admin: { name: 'admin', groups: ['system:masters'] }, nobody: { name: 'nobody' } };

type Server = ReturnType<typeof createApiServer>;

async function serve(
  row: Row,
  version: string,
  clock: Clock,
  pass: (ms: number) => Promise<void>,
): Promise<{ readonly server: Server; readonly namespace: string; readonly stop: () => Promise<void> }> {
  const server = createApiServer({
    kubernetesVersion: version,
    clock,
    authorization: 'rbac',
    authentication: { tokens: users },
  });
  const namespace = `row-${row.id.toLowerCase()}`;
  const admin = server.as(users.admin);
  await prepare(admin, { namespace, definitions: sharedDefinitions, pass });
  const withActors = row.needs?.some((need) => need === 'controllers' || need === 'pods') === true;
  const actors = withActors ? startActors(admin, { clock }) : undefined;
  const stop = async (): Promise<void> => {
    await actors?.stop();
    server.close();
  };
  return { server, namespace, stop };
}

function noStorage(): Promise<void> {
  return Promise.reject(new Error('the in-memory API has no storage that could stop'));
}

function forget(server: Server): Promise<void> {
  server.compact();
  return Promise.resolve();
}

function minorOf(version: string): string {
  return version.replace(/^v/, '').split('.').slice(0, 2).join('.');
}
