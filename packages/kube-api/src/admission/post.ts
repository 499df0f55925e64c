// Sends a review over HTTP or HTTPS.
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import type { WebhookMessage, WebhookReply } from './message.ts';

/** Delivers a message and reads the whole answer. Rejects with the system's error if that fails. */
export function postJson({ url, ca, serverName, body, signal }: WebhookMessage): Promise<WebhookReply> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'user-agent': 'kube-apiserver-admission',
    };
    const common = { method: 'POST', headers, signal };
    const outgoing = url.startsWith('https:')
      ? https(url, {
          ...common,
          ...(ca === undefined ? {} : { ca }),
          ...(serverName === undefined ? {} : { servername: serverName }),
        })
      : http(url, common);
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.end(text);
  });
}
