// Schema of subscriber attributes: allowed keys and values.
import { z } from 'zod';
import type { AttributeChange } from '../../domain/subscriber/decide/commands.js';
import { isoFromMs } from '../../domain/time.js';

const RESERVED = new Set(
  (
    '$email $phoneNumber $displayName $apnsTokens $fcmTokens $attConsentStatus $idfa $idfv $gpsAdId $androidId $ip ' +
    '$deviceVersion $locale $appAccountToken $mediaSource $campaign $adGroup $ad $keyword $creative $appsflyerId $adjustId ' +
    '$amplitudeUserId $amplitudeDeviceId $mixpanelDistinctId $firebaseAppInstanceId $onesignalId $brazeAliasName ' +
    '$brazeAliasLabel $iterableUserId $posthogUserId $customerioId $airshipChannelId $clevertapId $mparticleId $tenjinId ' +
    '$kochavaDeviceId $fbAnonId'
  ).split(' '),
);
const CUSTOM_KEY = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;
/** Property names of every JavaScript object. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const key = z
  .string()
  .refine(
    (k) => RESERVED.has(k) || CUSTOM_KEY.test(k),
    'is not an attribute name; use a letter, then up to 39 letters, digits, _ or -, or a reserved name such as $email',
  )
  .refine((k) => !PROTOTYPE_KEYS.has(k), 'is not allowed as an attribute name');
const value = z
  .string()
  .max(500, 'must have at most 500 characters')
  .refine((s) => s.isWellFormed(), 'must be well-formed Unicode')
  .nullable();
const datedValue = z.strictObject({ value, updatedAtMs: z.int().min(0).max(4_102_444_800_000) });

/** Returns undefined for a text or a dated value, whose own findings are reported instead. */
function typeFaultOf(input: unknown): string | undefined {
  if (typeof input === 'string') return 'must have at most 500 characters of well-formed Unicode';
  const isDated = typeof input === 'object' && input !== null && ('value' in input || 'updatedAtMs' in input);
  return isDated ? undefined : 'must be a string or null';
}

const attributes = z
  .record(key, z.union([value, datedValue], { error: ({ input }) => typeFaultOf(input) }))
  .refine((all) => Object.keys(all).length <= 100, 'at most 100 attributes at a time')
  .superRefine((all, ctx) => {
    const email = all['$email'];
    const given = typeof email === 'object' ? email?.value : email;
    if (given != null && given !== '' && !EMAIL.test(given)) {
      ctx.addIssue({ code: 'custom', path: ['$email'], message: 'must look like an email address' });
    }
  });

/** `z.record` silently drops this name. */
const hasProto = (all: unknown) => typeof all === 'object' && all !== null && Object.hasOwn(all, '__proto__');

export const attributesSchema = z
  .unknown()
  .refine((all) => !hasProto(all), '__proto__ is not allowed as an attribute name')
  .meta(z.toJSONSchema(attributes, { io: 'input' }) as { type: 'object' })
  .pipe(attributes);

/** Converts the input to changes. `null` and `""` delete. A value without its own time was set now; times in the future count as now. */
export function attributeChanges(given: z.output<typeof attributesSchema>, nowMs: number): AttributeChange[] {
  const receivedAt = isoFromMs(nowMs);
  return Object.entries(given).map(([name, one]) => {
    const [text, ms] = typeof one === 'object' && one !== null ? [one.value, one.updatedAtMs] : [one, nowMs];
    const updatedAt = isoFromMs(Math.min(ms, nowMs));
    return { key: name, value: text === '' ? null : text, updatedAt, receivedAt };
  });
}
