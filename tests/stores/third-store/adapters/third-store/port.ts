// The third-store as the rest of the code sees it: whether a notification is its own.
export interface ThirdStorePort {
  isSigned(content: string, signature: string): boolean;
}
