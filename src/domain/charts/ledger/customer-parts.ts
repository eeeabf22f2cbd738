// Assignment of customers to parts.

/** Returns the number of the customer's part, from 0 on: by a hash of its ID (FNV-1a). */
export function partOfCustomer(customerId: string, parts: number): number {
  if (parts === 1) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < customerId.length; i++) hash = Math.imul(hash ^ customerId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % parts;
}
