// Mapping of HTTP client errors to errors of the port. Messages contain hosts and causes, never headers or bodies.
import { OutboundFailure, type OutboundFailureCode } from '../../domain/errors.js';

export class BlockedAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`);
    this.name = 'BlockedAddress';
  }
}

export class UnresolvedName extends Error {
  constructor(host: string, options?: ErrorOptions) {
    super(`${host} has no address`, options);
    this.name = 'UnresolvedName';
  }
}

const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const CONNECT_CODES = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EINVAL']);
/** OpenSSL's certificate errors have names of their own (`man verify`), its protocol errors a prefix. */
const TLS =
  /^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_)/;

export function toOutboundFailure(err: unknown): OutboundFailure {
  const code = codeOf(err);
  return new OutboundFailure(kindOf(err, code), messageOf(err, code), { cause: err });
}

function kindOf(err: unknown, code: string): OutboundFailureCode {
  if (err instanceof BlockedAddress) return 'blocked';
  if (err instanceof UnresolvedName) return 'dns';
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (CONNECT_CODES.has(code)) return 'connect';
  return TLS.test(code) ? 'tls' : 'closed';
}

/** Returns the code of an error. When several addresses failed, one error contains those of all. */
function codeOf(err: unknown): string {
  const { code, errors } = (typeof err === 'object' && err !== null ? err : {}) as {
    code?: unknown;
    errors?: readonly unknown[];
  };
  if (typeof code === 'string') return code;
  return errors?.[0] === undefined ? '' : codeOf(errors[0]);
}

function messageOf(err: unknown, code: string): string {
  const message = err instanceof Error ? err.message : String(err);
  return message === '' ? code : message;
}
