// The way to the API server that was asked for, or that the process finds where it runs.
import { ConfigError } from './config.ts';
import { chooseServer, type ServerChoice, type Surroundings } from './transport/choose-server.ts';
import { HttpTransport } from './transport/http-transport.ts';
import { asError } from './waiting.ts';

/**
 * A transport to the API server, with credentials that are taken anew for each request.
 *
 * @throws {ConfigError} if what was asked for cannot be used, saying what was found and what is allowed
 */
export async function connect(choice: ServerChoice, surroundings: Surroundings): Promise<HttpTransport> {
  try {
    return new HttpTransport({ credentials: await chooseServer(choice, surroundings) });
  } catch (error) {
    throw new ConfigError([asError(error).message]);
  }
}
