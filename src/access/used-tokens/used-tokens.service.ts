import { Injectable } from '@nestjs/common';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { REPETITION_MS, usedTokenId } from './used-token-rules.js';
import { type TokenUse } from './used-token.types.js';
import { UsedTokensRepository } from './used-tokens.repository.js';

/**
 * Recognises a form that is sent a second time with a token that works once: people click twice. It knows neither the token nor the content.
 * Who repeats what a person sent is not this person: whoever uses it checks the password of the form first.
 */
@Injectable()
export class UsedTokensService {
  constructor(
    private readonly tokens: UsedTokensRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Records that a token was used, in the transaction of its use.
   * @param content what was sent with it, without the password
   */
  keep(token: string, content: readonly string[], use: TokenUse, transaction: Transaction): Promise<void> {
    const expiresAt = new Date(Date.now() + REPETITION_MS);
    return this.tokens.insert(usedTokenId(token, content), use, expiresAt, transaction);
  }

  /** Runs a transaction that uses a token, and records it there. @param work returns the use of the token and its own result */
  use<Result>(
    token: string,
    content: readonly string[],
    work: (transaction: Transaction) => Promise<readonly [use: TokenUse, result: Result]>,
  ): Promise<Result> {
    return this.transactions.run(async (transaction) => {
      const [use, result] = await work(transaction);
      await this.keep(token, content, use, transaction);
      return result;
    });
  }

  /** Who has sent the same content with the token in the last minute; null: nobody. */
  find(token: string, content: readonly string[]): Promise<TokenUse | null> {
    return this.tokens.find(usedTokenId(token, content), new Date());
  }
}
