// Groups of customers of an import that are one person, as sets of numbers that are joined and never parted.

export type CustomerGroups = {
  /** Returns the first customer of the group. */
  first(customer: number): number;
  /** Joins two groups, unless the source tells a customer of one apart from a customer of the other. Returns true if they are one now. */
  join(a: number, b: number): boolean;
  /** Marks a customer that the source tells apart from the others that are marked. */
  tellApart(customer: number): void;
};

/** `count`: customers, which are numbers from 1 to this one. */
export function createCustomerGroups(count: number): CustomerGroups {
  const parents = Int32Array.from({ length: count + 1 }, (_, customer) => customer);
  const toldApart = new Uint8Array(count + 1);
  const parentOf = (customer: number) => parents[customer] ?? customer;
  const first = (customer: number): number => {
    let at = customer;
    while (parentOf(at) !== at) {
      parents[at] = parentOf(parentOf(at));
      at = parentOf(at);
    }
    return at;
  };
  return {
    first,
    join: (a, b) => {
      const [one, other] = [first(a), first(b)];
      if (one === other) return true;
      if (toldApart[one] === 1 && toldApart[other] === 1) return false;
      const [survivor, absorbed] = one < other ? [one, other] : [other, one];
      parents[absorbed] = survivor;
      toldApart[survivor] = Math.max(toldApart[one] ?? 0, toldApart[other] ?? 0);
      return true;
    },
    tellApart: (customer) => void (toldApart[first(customer)] = 1),
  };
}
