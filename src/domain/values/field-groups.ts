// Marks fields of events and responses as money, personal or secret, so that a response omits those that the requester may not see.
import type { z } from 'zod';

/** `money`: amounts, prices, revenue, shares. `personal`: data about a person. `secret`: credentials. */
const fieldGroups = ['money', 'personal', 'secret'] as const;
export type FieldGroup = (typeof fieldGroups)[number];

/** The field groups that are visible to a requester. */
export type FieldVisibility = Readonly<Record<FieldGroup, boolean>>;

export const FULL_VISIBILITY: FieldVisibility = { money: true, personal: true, secret: true };

/** Key of the groups in a field's schema, also present in the OpenAPI document. */
export const FIELD_GROUPS = 'x-field-groups';

/** Marks a field, so that it is omitted unless all of these groups are visible to the requester. */
export function inGroups<S extends z.ZodType>(schema: S, ...groups: readonly FieldGroup[]): S {
  return schema.meta({ [FIELD_GROUPS]: groups });
}

/** Returns the groups of a field. */
export function groupsOf(schema: z.ZodType): readonly FieldGroup[] {
  return (schema.meta()?.[FIELD_GROUPS] ?? []) as readonly FieldGroup[];
}

export function showsAll(visibility: FieldVisibility, groups: readonly FieldGroup[]): boolean {
  return groups.every((group) => visibility[group]);
}
