// Responses about demo projects.
import { z } from 'zod';

export const playedPurchase = z
  .strictObject({
    object: z.literal('demoPurchase'),
    appUserId: z.string(),
    customerId: z.string(),
    transactionId: z.string(),
    storeProductId: z.string(),
  })
  .meta({ id: 'DemoPurchase' });
