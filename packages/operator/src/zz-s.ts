import { fork } from 'node:child_process';
import { once } from 'node:events';
const server = fork(new URL('./testing/bench-server.ts', import.meta.url).pathname, ['10000'], { execArgv: ['--conditions=@pawl/source'] });
const [{ url, bytes }] = (await once(server, 'message')) as [{ url: string; bytes: number }];
console.log(bytes);
const t = performance.now();
const r = await fetch(`${url}/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=30`);
let n = 0, total = 0, last = '';
for await (const chunk of r.body!) { n++; total += chunk.length; last = (last + Buffer.from(chunk).toString()).slice(-300); if (last.includes('initial-events-end')) { console.log('end bookmark', performance.now() - t); break; } if (n % 200 === 0) console.log(n, total, Math.round(performance.now() - t)); }
console.log(r.status, n, total, Math.round(performance.now() - t), last.slice(-200));
server.disconnect(); process.exit(0);
