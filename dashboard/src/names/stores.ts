// Names of the stores, as users know them.

const NAMES: Readonly<Record<string, string>> = {
  'ios-store': 'App Store',
  'android-store': 'Google Play',
  'test-store': 'Test Store',
  promotional: 'grant',
};

export function storeName(store: string): string {
  return NAMES[store] ?? store;
}

/** Replaces the technical names of stores in a sentence of the server: `the ios-store sent` becomes `the App Store sent`. */
export function withStoreNames(text: string): string {
  return text.replaceAll(/\b(ios|android|test)-store\b/g, (store) => storeName(store));
}
