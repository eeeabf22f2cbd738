// Expectations on each error response: three fields, the name of its status, a request ID, and no written event.
import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import type { HttpResponse, Harness } from './harness.js';

export function expectRefusal({ status, body, headers }: HttpResponse, expected: number, about = ''): void {
  expect([status, body.message], about).to.deep.equal([expected, body.message]);
  expect(Object.keys(body)).to.have.members(['statusCode', 'message', 'error']);
  expect(body).to.include({ statusCode: expected, error: STATUS_CODES[expected] });
  expect(body.message).to.be.a('string').with.length.above(0);
  expect(headers.get('x-request-id')).to.match(/^req_[0-9a-z]{26}$/);
  expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
}

export function headOf(harness: Harness): Promise<string> {
  return harness.service().services.deps.log.head();
}

/** Refused with this status, and the log is as long as before. */
export async function expectRefused(
  harness: Harness,
  send: () => Promise<HttpResponse>,
  expected: number,
): Promise<void> {
  await harness.service().idle();
  const before = await headOf(harness);
  expectRefusal(await send(), expected);
  await harness.service().idle();
  expect(await headOf(harness), 'the head of the log').to.equal(before);
}
