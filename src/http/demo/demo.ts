// Port to the store simulator for demo projects. The composition root provides the implementation.
import type { Requester } from '../../commands/handling/deps.js';

/** `Authorization` or `X-API-Key` of the caller, with which simulated purchases are sent. */
export type DemoCaller = { readonly authorization: string | undefined; readonly apiKey: string | undefined };

/** The user who creates a demo. */
export type DemoOwner = DemoCaller & { readonly userId: string; readonly by: Requester };

export type SimulatedPurchase = {
  readonly appUserId: string;
  readonly transactionId: string;
  readonly storeProductId: string;
};

export type Demo = {
  /**
   * Creates a project with dates in the past. Resolves with its ID once it has its catalogue; its customers are generated afterwards. Throws
   * `Rejection` while another demo is being generated, and on an instance with real projects.
   */
  begin(owner: DemoOwner): Promise<string>;
  /** Returns the generated share of the project's history, from 0 to 1; null if none is being generated. */
  progressOf(projectId: string): number | null;
  /** Throws `Rejection` if the project has no app of the simulated store any more. */
  purchase(asker: DemoCaller, projectId: string): Promise<SimulatedPurchase>;
};
