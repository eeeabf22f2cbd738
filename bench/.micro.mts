import { systemRuntime } from '../src/adapters/runtime.js';
import { createPrometheus } from '../src/adapters/metrics/prometheus.js';
import { keyedHash, customerId } from '../src/domain/ids.js';
import { isApiKey, makeApiKey, sha256Of } from '../src/commands/accounts/api-key.js';
import { pino } from 'pino';
import { openSync } from 'node:fs';
const r = systemRuntime(); const m = createPrometheus({ watchesProcess: false });
const h = keyedHash(r.randomBytes(32)); const k = makeApiKey('secret', r);
const log = pino({ level: 'info' }, pino.destination({ dest: openSync('/dev/null', 'w'), sync: false, minLength: 4096, periodicFlush: 100 }));
function t(name: string, f: (i: number) => void) { for (let i = 0; i < 20000; i++) f(i); const c = process.cpuUsage(); for (let i = 0; i < 100000; i++) f(i); const d = process.cpuUsage(c); console.log(name, ((d.user + d.system) / 100000).toFixed(2), 'us'); }
t('newId', () => r.newId('req'));
t('metrics', () => m.request({ method: 'GET', route: '/v1/subscribers/:appUserId', status: 200, ms: 1 }));
t('customerId', (i) => customerId(h, 'proj_01m82vw23m1d2t24pgsyh5zzaj', `user-${i}`));
t('key', () => isApiKey(k) && sha256Of(k));
t('isKey', () => isApiKey(k));
t('log', (i) => log.info({ method: 'get', route: '/v1/subscribers/:appUserId', status: 200, ms: 1, requestId: 'req_01m82vw23m1d2t24pgsyh5zzaj', projectId: 'proj_01m82vw23m1d2t24pgsyh5zzaj', keyId: 'key_01m82vw23m1d2t24pgsyh5zzaj' }, 'request'));
