// Port to the store simulator for demo projects. The composition root provides the implementation.

/** `Authorization` or `X-API-Key` of the caller, with which simulated purchases are sent. */
export type Asker = { readonly authorization: string | undefined; readonly apiKey: string | undefined };

export type PlayedPurchase = {
  readonly appUserId: string;
  readonly transactionId: string;
  readonly storeProductId: string;
};

export type Demo = {
  /**
   * Starts a demo. `make` creates the project, with dates in the past. Resolves with its ID once it has its catalogue; its customers are
   * generated afterwards. Throws `Rejection` while another demo is being generated.
   */
  begin(asker: Asker, make: () => Promise<string>): Promise<string>;
  /** Returns whether the history of the project's customers is still being generated. */
  isPlaying(projectId: string): boolean;
  /** Throws `Rejection` if the project has no app of the simulated store any more. */
  purchase(asker: Asker, projectId: string): Promise<PlayedPurchase>;
  /** Stops all simulations. */
  stop(): Promise<void>;
};
