// How customers are dealt out to parts.

/** The number of the part, from 0 on, that has the customer: by a hash of its id (FNV-1a). */
export function partOfCustomer(customerId: string, parts: number): number {
  if (parts === 1) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < customerId.length; i++) hash = Math.imul(hash ^ customerId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % parts;
}
