// Rows about servers that cannot answer now.
import { like, present, text } from '../matchers.ts';
import type { Row } from '../row.ts';
import { answers, configMap, configMaps, create, fails, get, until } from './dsl.ts';

export const overloadRows: readonly Row[] = [
  {
    id: '12',
    title: 'An overloaded server: 429 with a plain text body and Retry-After, no Status',
    priority: 'P0',
    needs: ['overload'],
    steps: [get(configMaps, answers(429, text('Too many requests'), { headers: { 'retry-after': '1' } }))],
  },
  {
    id: '13',
    title:
      'A watch cache that is not ready, a blocked eviction: 429 TooManyRequests with a Status that says when to retry',
    priority: 'P1',
    needs: ['outage'],
    steps: [
      get(`${configMaps}?watch=true`, fails(429, 'TooManyRequests', { details: { retryAfterSeconds: present } })),
    ],
  },
  {
    id: '14',
    title: 'An error whose details say retryAfterSeconds has the header Retry-After as well',
    priority: 'P0',
    setup: [create(configMaps, configMap('x'))],
    steps: [
      get(
        `${configMaps}?resourceVersion=999999999`,
        answers(504, { details: { retryAfterSeconds: present } }, { headers: { 'retry-after': present } }),
      ),
    ],
  },
  {
    id: '15',
    title: 'A write that does not finish in 34 s: 504 Timeout; whether it was done is unknown',
    priority: 'P0',
    needs: ['storage'],
    alone: true,
    steps: [
      { storage: 'stops' },
      create(
        configMaps,
        configMap('x'),
        fails(504, 'Timeout', { message: like('^Timeout: request did not complete'), details: {} }),
      ),
      { storage: 'goes on' },
      until(`${configMaps}?labelSelector=none`, answers(200)),
    ],
  },
  {
    id: '16',
    title: 'Storage that cannot be reached: 500 ServerTimeout with retryAfterSeconds 2',
    priority: 'P1',
    needs: ['outage'],
    steps: [get(`${configMaps}/x`, fails(500, 'ServerTimeout', { details: { retryAfterSeconds: 2 } }))],
  },
];
