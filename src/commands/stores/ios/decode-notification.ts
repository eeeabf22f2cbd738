// Decodes ios-store notifications into their nested signed texts, including fields that this version does not understand. It does not
// verify: stored notifications were verified on receipt.
import { fieldsOf } from '../inbox/raw-body.js';

export function decodeIosNotification(rawBody: string): Readonly<Record<string, unknown>> {
  return decodedFields(fieldsOf(rawBody));
}

function decodedFields(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decodeValue(value)]));
}

function decodeValue(value: unknown): unknown {
  if (typeof value === 'string') return decodeSignedText(value);
  if (Array.isArray(value)) return value.map(decodeValue);
  return typeof value === 'object' && value !== null ? decodedFields(value) : value;
}

/** Header, payload and signature, each in base64url. */
const SIGNED = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

function decodeSignedText(text: string): unknown {
  const [, payload] = SIGNED.exec(text.trim()) ?? [];
  const fields = payload === undefined ? {} : fieldsOf(Buffer.from(payload, 'base64url').toString());
  return Object.keys(fields).length === 0 ? text : decodedFields(fields);
}
