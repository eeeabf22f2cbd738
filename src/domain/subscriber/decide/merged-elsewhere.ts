/** The command was meant for a customer that has been merged into another: ask that one. */
export class MergedElsewhere extends Error {
  constructor(
    readonly customerId: string,
    readonly appUserId: string,
  ) {
    super(`merged into ${customerId}`);
    this.name = 'MergedElsewhere';
  }
}
