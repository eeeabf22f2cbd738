// A full disk under a running service: writes are refused, reads go on, nothing acknowledged is lost, and writing goes on once there is
// room.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { caller, setUpProject, type Call, type HttpResponse, type Slice } from '../http/support/harness.js';
import { run, start, type Running } from './process.js';

const DISK = '24m';
/** More than the room that freed pages and write-ahead files may still have. */
const MAX_WRITES = 2000;
const filling = 'x'.repeat(480);

describe('a disk that is full', function () {
  this.timeout(180_000);
  const disk = mkdtempSync(join(tmpdir(), 'subledger-disk-'));
  const ballast = join(disk, 'ballast');
  const env = { DATA_DIR: join(disk, 'data'), PORT: '0', LOG_LEVEL: 'info', RATE_LIMITS: 'off' };
  const acknowledged: string[] = [];
  let isMounted = false;
  let running: Running;
  let call: Call;
  let slice: Slice;

  before(async function () {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk], { encoding: 'utf8' });
    isMounted = mounted.status === 0;
    if (!isMounted) {
      process.stdout.write(`  skipped, a small disk cannot be mounted here: ${mounted.stderr}\n`);
      return this.skip();
    }
    running = await start(env);
    call = caller(() => running.url);
    slice = await setUpProject({ call });
  });
  after(async () => {
    if (isMounted) {
      await running.kill();
      spawnSync('umount', [disk]);
    }
    rmSync(disk, { recursive: true, force: true });
  });

  const write = async (id: string): Promise<HttpResponse> => {
    const attributes = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${i}`, `${id} ${filling}`]));
    const path = `/v1/subscribers/${id}/attributes`;
    const response = await call('POST', path, { attributes }, { key: slice.secretKey });
    if (response.status === 200) acknowledged.push(id);
    return response;
  };
  const expectAcknowledged = async () => {
    for (const id of acknowledged) {
      const { status, body } = await call('GET', `/v1/subscribers/${id}`, undefined, { key: slice.secretKey });
      expect([status, body.subscriber.attributes.field_7?.value], id).to.deep.equal([200, `${id} ${filling}`]);
    }
  };
  it('has writes answered 503, and reads as ever', async () => {
    for (let i = 0; i < 5; i++) expect((await write(`before-${i}`)).status).to.equal(200);
    fill(ballast);
    let refused: HttpResponse | null = null;
    for (let i = 0; i < MAX_WRITES && refused === null; i++) {
      const response = await write(`full-${i}`);
      if (response.status !== 200) refused = response;
    }
    expect(refused?.status).to.equal(503);
    expect(refused?.headers.get('retry-after')).to.match(/^\d+$/);
    expect(refused?.body).to.have.all.keys('statusCode', 'error', 'message');
    const { status } = await call('GET', '/v1/subscribers/before-0', undefined, { key: slice.secretKey });
    expect(status).to.equal(200);
    expect(running.child.exitCode).to.equal(null);
  });

  it('is reported by doctor, and by commands that change something', async () => {
    const full = /is on a disk without free space; free some space there/;
    const doctor = await run(['doctor'], env);
    expect(doctor.code).to.equal(1);
    expect(doctor.output).to.match(/^PROBLEM {2}disk: 0\.0 GiB free/m);
    expect(doctor.output).to.match(full);
    const retried = await run(['parked', 'retry'], env);
    expect([retried.code, full.test(retried.output)]).to.deep.equal([78, true]);
  });

  it('is written to again by the same process once there is room', async () => {
    rmSync(ballast);
    for (;;) if ((await write('after')).status === 200) break;
    await expectAcknowledged();
    expect(running.child.exitCode).to.equal(null);
  });

  it('has lost nothing that was acknowledged, also after a kill', async () => {
    await running.kill();
    running = await start(env);
    await expectAcknowledged();
    expect(acknowledged).to.include.members(['before-0', 'after']);
    const { output } = await run(['doctor'], env);
    const problems = output.split('\n').filter((line) => line.startsWith('PROBLEM'));
    expect(problems.join('\n'), 'all but the room, which is small by intent').to.match(/^PROBLEM {2}disk: [^\n]*$/);
  });
});

/** Writes until there is no room left, in smaller and smaller pieces. */
function fill(file: string): void {
  const handle = openSync(file, 'w');
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    const piece = Buffer.alloc(size, 'x');
    try {
      while (writeSync(handle, piece) === size);
    } catch (err) {
      if (!(err instanceof Error && 'code' in err && err.code === 'ENOSPC')) throw err;
    }
  }
  closeSync(handle);
}
