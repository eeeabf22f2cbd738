// usage: get.mts <seconds> <zipf|uniform|100> rounds ; side by side: service vs bare, CPU per request
import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import autocannon from 'autocannon';
const seeded = JSON.parse(readFileSync(process.env.SEEDED ?? '/tmp/lean/seeded.json','utf8'));
const [, , secs = '3', mode = 'uniform', rounds = '3'] = process.argv;
const N = (seeded.events - 6) / 2;
const cpu = (pid: number) => { const t = readFileSync(`/proc/${pid}/stat`, 'utf8'); const f = t.slice(t.lastIndexOf(')') + 2).split(' '); return (Number(f[11]) + Number(f[12])) * 10; };
function start(args: string[], env: any, ready: string): Promise<any> {
  const child = spawn('taskset', ['-c', '0', process.execPath, ...args], { cwd: '/work/wt-lean', env: { ...process.env, NODE_ENV: 'production', DRAIN_SECONDS: '0', ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((ok) => { let out = ''; const on = (c: Buffer) => { out += c; if (!out.includes(ready)) return; child.stdout.off('data', on); child.stdout.resume(); ok({ url: /listening on (http:\/\/[\d.]+:\d+)/.exec(out)![1], pid: child.pid, stop: () => { child.kill('SIGTERM'); return new Promise((r) => child.once('exit', r)); } }); }; child.stdout.on('data', on); });
}
const prof = process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/lean/prof'] : [];
const service = await start([...prof, '--max-semi-space-size=64', 'dist/cli/subledger.js', 'serve'], { DATA_DIR: seeded.dataDir, PORT: '0', LOG_LEVEL: process.env.LOG ?? 'info', RATE_LIMITS: process.env.LIMITS ?? 'off', MASTER_KEY: seeded.masterKey, DASHBOARD: 'off' }, '"msg":"ready"');
const headers = { 'x-api-key': seeded.apiKey };
const path = (i: number) => `/v1/subscribers/user-${i}`;
const body = await (await fetch(service.url + path(1), { headers })).text();
console.log(body.length, body);
const bare = await start(['--input-type=module', '-e', `import express from 'express'; const app = express(); const body = process.env.BODY; app.get('/v1/subscribers/:appUserId', (req, res) => { res.type('json').send(body); }); const server = app.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port + ' ready'));`], { BODY: body }, 'ready');
const plain = process.env.PLAIN ? await start(['--input-type=module', '-e', `import http from 'node:http'; const body = process.env.BODY; const server = http.createServer((req, res) => { res.writeHead(200, ['content-type','application/json; charset=utf-8','content-length',String(body.length)]); res.end(body); }).listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port + ' ready'));`], { BODY: body }, 'ready') : null;
let x = 12345; const rnd = () => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return (x >>> 0) / 4294967296; };
const pick = mode === 'zipf' ? () => Math.min(N - 1, Math.floor(Math.exp(rnd() * Math.log(N)))) : mode === 'uniform' ? () => Math.floor(rnd() * N) : () => Math.floor(rnd() * Number(mode));
const requests = Array.from({ length: 20000 }, () => ({ method: 'GET' as const, path: path((pick() * 7919) % N), headers }));
const run = async (s: any) => { const c0 = cpu(s.pid); const r = await autocannon({ url: s.url, connections: 50, duration: Number(secs), requests }); if (r.non2xx || r.errors) console.log('BAD', r.non2xx, r.errors); const c = cpu(s.pid) - c0; return { rps: r['2xx'] / r.duration, us: c * 1000 / r['2xx'] }; };
const med = (a: number[]) => a.sort((p, q) => p - q)[Math.floor(a.length / 2)];
const P: any[] = []; const S: any[] = [], B: any[] = [];
for (let i = 0; i <= Number(rounds); i++) { const s = await run(service), b = await run(bare); if (plain) P.push(await run(plain)); if (i) { S.push(s); B.push(b); } }
const f = (n: number) => n.toFixed(2);
console.log(mode, 'service', f(med(S.map((s) => s.rps))), '/s', f(med(S.map((s) => s.us))), 'us; bare', f(med(B.map((s) => s.rps))), '/s', f(med(B.map((s) => s.us))), 'us; ratio rps', f(med(S.map((s, i) => s.rps / B[i].rps))), 'cpu', f(med(S.map((s, i) => B[i].us / s.us))));
if (plain) { console.log('plain', med(P.map((s) => s.us))); await plain.stop(); } await service.stop(); await bare.stop();
