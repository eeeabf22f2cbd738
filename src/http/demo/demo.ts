// What the routes of demo projects need of the store's simulator, which the composition root puts behind it.

/** `Authorization` or `X-API-Key` of whoever asks: what is played is sent in their name. */
export type Asker = { readonly authorization: string | undefined; readonly apiKey: string | undefined };

export type PlayedPurchase = {
  readonly appUserId: string;
  readonly transactionId: string;
  readonly storeProductId: string;
};

export type Demo = {
  /**
   * `make` makes the project, in the past. Resolves with its id once it has its catalogue; its customers are played from then on.
   * Throws `Rejection` while another demo is played.
   */
  begin(asker: Asker, make: () => Promise<string>): Promise<string>;
  /** Whether the past of its customers is still being played. */
  isPlaying(projectId: string): boolean;
  /** Throws `Rejection` where the project has no app of the simulated store any more. */
  purchase(asker: Asker, projectId: string): Promise<PlayedPurchase>;
  /** Ends what is played. */
  stop(): Promise<void>;
};
