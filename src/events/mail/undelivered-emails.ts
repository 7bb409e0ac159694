import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';

/** Handles that an email to the buyer of an order was given up. */
export type UndeliveredEmailHandler = (shopId: string, orderId: string, transaction: Transaction) => Promise<void>;

/** Who learns that an email to a buyer was given up. A service of a later area registers in `onModuleInit`. */
@Injectable()
export class UndeliveredEmails {
  private handler: UndeliveredEmailHandler = () => Promise.resolve();

  register(handler: UndeliveredEmailHandler): void {
    this.handler = handler;
  }

  /** Reports it in the transaction that sets the email aside. */
  report(shopId: string, orderId: string, transaction: Transaction): Promise<void> {
    return this.handler(shopId, orderId, transaction);
  }
}
