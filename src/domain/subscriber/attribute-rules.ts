// Names and values that attributes of a subscriber may have.

const RESERVED = new Set(
  (
    '$email $phoneNumber $displayName $apnsTokens $fcmTokens $attConsentStatus $idfa $idfv $gpsAdId $androidId $ip ' +
    '$deviceVersion $locale $appAccountToken $mediaSource $campaign $adGroup $ad $keyword $creative $appsflyerId $adjustId ' +
    '$amplitudeUserId $amplitudeDeviceId $mixpanelDistinctId $firebaseAppInstanceId $onesignalId $brazeAliasName ' +
    '$brazeAliasLabel $iterableUserId $posthogUserId $customerioId $airshipChannelId $clevertapId $mparticleId $tenjinId ' +
    '$kochavaDeviceId $fbAnonId $refundConsent'
  ).split(' '),
);
const CUSTOM_KEY = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;
/** Property names of every JavaScript object. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Maximum length of a value, in UTF-16 units. */
export const MAX_ATTRIBUTE_LENGTH = 500;
/** Maximum number of attributes of a subscriber whose names are not reserved. */
export const MAX_CUSTOM_ATTRIBUTES = 50;

/** Returns true for a reserved name, or a custom one of the allowed form. */
export function isAttributeName(name: string): boolean {
  return RESERVED.has(name) || CUSTOM_KEY.test(name);
}

/** Returns true for a name that every JavaScript object has, which would be lost or harmful as a key. */
export function isPrototypeName(name: string): boolean {
  return PROTOTYPE_KEYS.has(name);
}

export function isCustomAttribute(name: string): boolean {
  return !name.startsWith('$');
}

/** Reserved names whose values many customers share. */
const SHARED = new Set(
  '$attConsentStatus $deviceVersion $locale $mediaSource $campaign $adGroup $ad $keyword $creative'.split(' '),
);

/**
 * Returns true for an attribute that may stand in a targeting rule. Those that identify a person may not: a rule is configuration, which an
 * erasure does not reach, and what a public key gets shows whether the rule applies.
 */
export function isTargetableAttribute(name: string): boolean {
  return isCustomAttribute(name) ? isAttributeName(name) && !isPrototypeName(name) : SHARED.has(name);
}
