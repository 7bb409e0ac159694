import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Role } from '../common/auth/permissions.js';
import { type Transaction } from '../database/transactions.js';
import { INVITATION_MODEL, type InvitationRecord } from './invitation.schema.js';
import { type Invitation } from './invitation.types.js';

const FIELDS = { shopId: 1, email: 1, role: 1, expiresAt: 1 } as const;

function toInvitation(record: Pick<InvitationRecord, '_id' | 'shopId' | 'email' | 'role' | 'expiresAt'>): Invitation {
  const { _id, shopId, email, role, expiresAt } = record;
  return { id: _id.toHexString(), shopId: shopId.toHexString(), email, role, expiresAt };
}

@Injectable()
export class InvitationsRepository {
  constructor(@InjectModel(INVITATION_MODEL) private readonly invitations: Model<InvitationRecord>) {}

  /** Makes the invitation of an address, in place of an earlier one whose token stops working. */
  async replace(
    shopId: string,
    input: { email: string; role: Role; tokenHash: string; invitedBy: string; createdAt: Date; expiresAt: Date },
  ): Promise<Invitation> {
    const { email, ...rest } = input;
    const record = await this.invitations
      .findOneAndUpdate(
        { shopId, email },
        { $set: { ...rest, acceptedAt: null } },
        { upsert: true, returnDocument: 'after', projection: FIELDS },
      )
      .orFail()
      .lean();
    return toInvitation(record);
  }

  async listOpen(shopId: string, now: Date): Promise<Invitation[]> {
    const records = await this.invitations
      .find({ shopId, acceptedAt: null, expiresAt: trusted({ $gt: now }) }, FIELDS)
      .sort({ _id: 1 })
      .lean();
    return records.map(toInvitation);
  }

  /** Uses an open invitation up; of any number at once exactly one gets it. */
  async accept(tokenHash: string, email: string, now: Date, transaction: Transaction): Promise<Invitation | null> {
    const record = await this.invitations
      .findOneAndUpdate(
        { tokenHash, email, acceptedAt: null, expiresAt: trusted({ $gt: now }) },
        { $set: { acceptedAt: now } },
        { session: transaction, projection: FIELDS },
      )
      .lean();
    return record && toInvitation(record);
  }
}
