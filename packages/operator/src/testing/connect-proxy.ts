// A real HTTP proxy for tests: it opens tunnels, resolves names as it is told, and remembers what it was asked for.
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export class ConnectProxy {
  /** `host:port` of each tunnel that was asked for, with the credentials that came along. */
  readonly asked: { readonly target: string; readonly authorization: string | undefined }[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(portOf: (target: string) => number | undefined) {
    this.#server = createServer((_request, response) => response.writeHead(501).end());
    this.#server.on('connect', ({ url: target = '', headers }, client: Socket) => {
      this.asked.push({ target, authorization: headers['proxy-authorization'] });
      this.#sockets.add(client);
      client.on('error', () => {});
      const port = portOf(target);
      if (port === undefined) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      this.#sockets.add(upstream);
      upstream.on('error', () => client.destroy());
    });
  }

  /** @param portOf where on this machine a target is; undefined: it is forbidden */
  static async start(portOf: (target: string) => number | undefined): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(portOf);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Without a scheme. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await closed;
  }
}
