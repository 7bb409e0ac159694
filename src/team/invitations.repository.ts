import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Role } from '../common/auth/permissions.js';
import { type Transaction } from '../database/transactions.js';
import { INVITATION_MODEL, type InvitationRecord } from './invitation.schema.js';
import { type Invitation } from './invitation.types.js';

const FIELDS = { shopId: 1, email: 1, role: 1, invitedBy: 1, inviterId: 1, inviterKeyId: 1, expiresAt: 1 } as const;

function toInvitation(record: Omit<InvitationRecord, 'tokenHash' | 'createdAt'>): Invitation {
  const { _id, shopId, email, role, invitedBy, inviterId, inviterKeyId, expiresAt } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    email,
    role,
    invitedBy,
    inviterId: inviterId.toHexString(),
    inviterKeyId: inviterKeyId && inviterKeyId.toHexString(),
    expiresAt,
  };
}

const objectId = (id: string | null): Types.ObjectId | null => (id === null ? null : new Types.ObjectId(id));

@Injectable()
export class InvitationsRepository {
  constructor(@InjectModel(INVITATION_MODEL) private readonly invitations: Model<InvitationRecord>) {}

  /**
   * Makes the invitation of an address, in place of an earlier one whose token stops working.
   * @returns the invitation, and for which role the one before was; null when none was open
   */
  async replace(
    shopId: string,
    input: {
      email: string;
      role: Role;
      tokenHash: string;
      invitedBy: string;
      inviterId: string;
      inviterKeyId: string | null;
      createdAt: Date;
      expiresAt: Date;
    },
    transaction: Transaction,
  ): Promise<{ made: Invitation; before: Role | null }> {
    const { tokenHash, createdAt, ...offer } = input;
    const { email, role, invitedBy, inviterId, inviterKeyId, expiresAt } = offer;
    const inviter = { inviterId: new Types.ObjectId(inviterId), inviterKeyId: objectId(inviterKeyId) };
    const fields = { role, tokenHash, invitedBy, ...inviter, createdAt, expiresAt };
    const fresh = new Types.ObjectId();
    const earlier = await this.invitations
      .findOneAndUpdate(
        { shopId, email },
        { $set: fields, $setOnInsert: { _id: fresh } },
        { upsert: true, returnDocument: 'before', projection: FIELDS, session: transaction },
      )
      .lean();
    const wasOpen = earlier !== null && earlier.expiresAt > createdAt;
    return {
      made: { ...offer, shopId, id: (earlier?._id ?? fresh).toHexString() },
      before: wasOpen ? earlier.role : null,
    };
  }

  async listOpen(shopId: string, now: Date): Promise<Invitation[]> {
    const records = await this.invitations
      .find({ shopId, expiresAt: trusted({ $gt: now }) }, FIELDS)
      .sort({ _id: 1 })
      .lean();
    return records.map(toInvitation);
  }

  /** Uses an open invitation up, for whoever has its token and address; of any number at once exactly one gets it. */
  take(tokenHash: string, email: string, now: Date, transaction: Transaction): Promise<Invitation | null> {
    return this.removeOpen({ tokenHash, email }, now, transaction);
  }

  /** Takes an open invitation back; null when there is none, or none any more. */
  revoke(shopId: string, invitationId: string, now: Date, transaction: Transaction): Promise<Invitation | null> {
    return this.removeOpen({ _id: new Types.ObjectId(invitationId), shopId }, now, transaction);
  }

  private async removeOpen(
    which: { tokenHash: string; email: string } | { _id: Types.ObjectId; shopId: string },
    now: Date,
    transaction: Transaction,
  ): Promise<Invitation | null> {
    const record = await this.invitations
      .findOneAndDelete({ ...which, expiresAt: trusted({ $gt: now }) }, { session: transaction, projection: FIELDS })
      .lean();
    return record && toInvitation(record);
  }
}
