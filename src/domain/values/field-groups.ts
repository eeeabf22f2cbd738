// Which fields of events and responses are money, personal or secret: not everybody who may ask for a thing may see all of it.
import type { z } from 'zod';

/** `money`: amounts, prices, revenue, shares. `personal`: what people told about themselves. `secret`: what opens something. */
export const fieldGroups = ['money', 'personal', 'secret'] as const;
export type FieldGroup = (typeof fieldGroups)[number];

/** Which groups somebody sees. */
export type Sight = Readonly<Record<FieldGroup, boolean>>;

export const FULL_SIGHT: Sight = { money: true, personal: true, secret: true };

/** Under which the groups of a field stand in its schema; the interface's document shows it too. */
export const FIELD_GROUPS = 'x-field-groups';

/** Marks a field: whoever does not see all of these groups does not get it. */
export function inGroups<S extends z.ZodType>(schema: S, ...groups: readonly FieldGroup[]): S {
  return schema.meta({ [FIELD_GROUPS]: groups }) as S;
}

/** The groups that a field is marked with. */
export function groupsOf(schema: z.ZodType): readonly FieldGroup[] {
  return (schema.meta()?.[FIELD_GROUPS] ?? []) as readonly FieldGroup[];
}

export function seesAll(sight: Sight, groups: readonly FieldGroup[]): boolean {
  return groups.every((group) => sight[group]);
}
