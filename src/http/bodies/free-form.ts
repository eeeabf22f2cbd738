// Free-form JSON of users: any object within bounds that keep later readers safe and events small.
import { jsonObject, type JsonObject, type JsonValue } from '../../domain/values/json.js';

const MAX_DEPTH = 10;
const MAX_VALUES = 2000;

/** Schema of an object of at most `maxKiB` as JSON in UTF-8. */
export function freeForm(maxKiB: number) {
  return jsonObject
    .superRefine((value, ctx) => {
      const fault = faultOf(value, maxKiB);
      if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
    })
    .meta({ type: 'object', description: `Any object of at most ${maxKiB} KiB, ${MAX_DEPTH} levels deep.` });
}

function faultOf(value: JsonObject, maxKiB: number): string | null {
  let values = 0;
  let level: readonly JsonValue[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH} levels`;
    const inner = level.flatMap((v) => (isContainer(v) ? Object.values<JsonValue>(v) : []));
    values += inner.length;
    if (values > MAX_VALUES) return `must not hold more than ${MAX_VALUES} values`;
    level = inner.filter(isContainer);
  }
  if (Buffer.byteLength(JSON.stringify(value)) > maxKiB * 1024) return `must have at most ${maxKiB} KiB as JSON`;
  return null;
}

function isContainer(value: JsonValue): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}
