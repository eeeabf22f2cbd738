// Names of the stores, as users know them.

/** Stores in which customers buy, with their names. */
export const STORE_NAMES: Readonly<Record<string, string>> = {
  'ios-store': 'App Store',
  'android-store': 'Google Play',
  'test-store': 'Test Store',
};

export function storeName(store: string): string {
  return store === 'promotional' ? 'grant' : (STORE_NAMES[store] ?? store);
}

/** Replaces the technical names of stores in a sentence of the server: `the ios-store sent` becomes `the App Store sent`. */
export function withStoreNames(text: string): string {
  return text.replaceAll(/\b(ios|android|test)-store\b/g, (store) => storeName(store));
}
