import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { type Transaction } from '../../platform/database/transactions.js';
import { OutboxVault } from '../../events/outbox/outbox-vault.js';
import { type Scrubber } from './scrub.js';

/** A message that a shop has not sent yet, as it is stored. */
interface WaitingMessage {
  readonly _id: mongo.BSON.ObjectId;
  readonly topic: string;
  readonly sealedPayload: string;
}

/** The messages of a shop in the outbox that are not sent yet. Those that were sent have no content. */
@Injectable()
export class WaitingMessagesRepository {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly vault: OutboxVault,
  ) {}

  /** Deletes messages, and scrubs all others of the shop. */
  async rewrite(
    shopId: string,
    isDeleted: (topic: string, payload: unknown) => boolean,
    scrubber: Scrubber,
    session: Transaction,
  ): Promise<void> {
    const filter = { shopId: mongo.BSON.ObjectId.createFromHexString(shopId), state: 'waiting' };
    const outbox = this.connection.getClient().db(this.connection.name).collection<WaitingMessage>('outbox');
    for (const { _id, topic, sealedPayload } of await outbox.find(filter, { session }).toArray()) {
      const id = _id.toHexString();
      const payload = this.vault.open({ id, sealedPayload });
      if (isDeleted(topic, payload)) {
        await outbox.deleteOne({ ...filter, _id }, { session });
        continue;
      }
      const scrubbed = scrubber.record(payload);
      if (JSON.stringify(scrubbed) === JSON.stringify(payload)) continue;
      await outbox.updateOne(
        { ...filter, _id },
        { $set: { sealedPayload: this.vault.seal(id, scrubbed) } },
        { session },
      );
    }
  }
}
