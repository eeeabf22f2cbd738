// The signing certificates of a store, as the header of a signed text contains them. Stored once for all notifications that use them.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, type EventOf } from '../events.js';

export const certificatesEvents = {
  /** `header`: the first part of a signed text, in base64url, character for character. */
  SigningCertificatesKept: defineEvent('SigningCertificatesKept', { header: z.string() }),
};
export type CertificatesEvent = EventOf<typeof certificatesEvents>;

type StoreHeader = { readonly header: string };

/** The state is the header, or null. */
export const certificatesDecider: Decider<string | null, StoreHeader, CertificatesEvent> = {
  initial: () => null,
  evolve: (_, { data }) => data.header,
  decide: ({ header }, state) => (state === null ? [certificatesEvents.SigningCertificatesKept.of({ header })] : []),
};
