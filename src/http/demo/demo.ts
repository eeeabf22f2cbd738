// Port to the store simulator for demo projects. The composition root provides the implementation.

/** `Authorization` or `X-API-Key` of the caller, with which simulated purchases are sent. */
export type DemoCaller = { readonly authorization: string | undefined; readonly apiKey: string | undefined };

export type SimulatedPurchase = {
  readonly appUserId: string;
  readonly transactionId: string;
  readonly storeProductId: string;
};

export type Demo = {
  /**
   * Starts a demo. `make` creates the project, with dates in the past. Resolves with its ID once it has its catalogue; its customers are
   * generated afterwards. Throws `Rejection` while another demo is being generated.
   */
  begin(asker: DemoCaller, make: () => Promise<string>): Promise<string>;
  /** Returns the generated share of the project's history, from 0 to 1; null if none is being generated. */
  progressOf(projectId: string): number | null;
  /** Throws `Rejection` if the project has no app of the simulated store any more. */
  purchase(asker: DemoCaller, projectId: string): Promise<SimulatedPurchase>;
  /** Stops all simulations. */
  stop(): Promise<void>;
};
