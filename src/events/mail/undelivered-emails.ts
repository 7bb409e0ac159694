import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';

/** What an email can be about whose failure somebody must know: an order, by its buyer's email, or an invitation to a team. */
export type UndeliveredSubject = 'order' | 'invitation';

/** Handles that an email about a subject was given up. */
export type UndeliveredEmailHandler = (shopId: string, subjectId: string, transaction: Transaction) => Promise<void>;

/** Who learns that an email was given up. Services of later areas register in `onModuleInit`. */
@Injectable()
export class UndeliveredEmails {
  private readonly handlers = new Map<UndeliveredSubject, UndeliveredEmailHandler>();

  register(subject: UndeliveredSubject, handler: UndeliveredEmailHandler): void {
    this.handlers.set(subject, handler);
  }

  /** Reports it in the transaction that sets the email aside. */
  async report(
    subject: UndeliveredSubject,
    shopId: string,
    subjectId: string,
    transaction: Transaction,
  ): Promise<void> {
    await this.handlers.get(subject)?.(shopId, subjectId, transaction);
  }
}
