/** The store does not show yet what it has sent word of: its answers lag behind its notifications. Asked again, it may. */
export class NotShownYet extends Error {
  constructor(what: string) {
    super(`the store does not show ${what} yet`);
    this.name = 'NotShownYet';
  }
}
