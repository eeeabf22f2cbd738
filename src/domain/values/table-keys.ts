// The keys of a table that is written in the source, with their type: a value of an open type may have more keys than its type names.
export function tableKeys<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[];
}
