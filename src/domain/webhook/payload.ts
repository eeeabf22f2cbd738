// The body of a webhook request, created once and stored as text, so that every attempt signs and sends the same bytes.
import type { PayloadFormat } from './events.js';
import { isMoneyField, type Fields } from './purchase-fields.js';
import { revenueCatBody } from './revenuecat-body.js';

const API_VERSION = '1.0';
const MAX_BODY_BYTES = 64 * 1024;

/** Fields whose keys users choose, which are not converted to snake_case. */
const USER_KEYED_FIELDS = new Set(['subscriberAttributes', 'activeEntitlements']);

export type Payload = { readonly id: string; readonly type: string; readonly projectId: string } & Fields;

/** Creates the body. Attributes are omitted when the body with them would exceed the limit of receivers. */
export function bodyOf(event: Payload, format: PayloadFormat): string {
  const whole = text(event, format);
  if (Buffer.byteLength(whole) <= MAX_BODY_BYTES) return whole;
  const { subscriberAttributes: _left, ...rest } = event;
  return text(rest, format);
}

function text(event: Payload, format: PayloadFormat): string {
  if (format === 'revenuecat') return JSON.stringify(revenueCatBody(event));
  const body = { apiVersion: API_VERSION, event };
  return JSON.stringify(format === 'snake_case' ? toSnakeCase(body) : body);
}

function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, nested]): [string, unknown] => [
    snakeCase(key),
    USER_KEYED_FIELDS.has(key) ? valuesToSnakeCase(nested) : toSnakeCase(nested),
  ]);
  return Object.fromEntries(entries);
}

function valuesToSnakeCase(map: unknown): unknown {
  return Object.fromEntries(Object.entries(map ?? {}).map(([key, nested]) => [key, toSnakeCase(nested)]));
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Removes the money fields from a body of {@link bodyOf} in any format, for requesters who may not see money. */
export function withoutMoney(body: string): string {
  const { event, ...rest }: { readonly event: Fields } = JSON.parse(body);
  const visibleFields = Object.entries(event).filter(([name]) => !isMoneyField(camelCase(name)));
  return JSON.stringify({ ...rest, event: Object.fromEntries(visibleFields) });
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
