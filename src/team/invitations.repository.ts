import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { type Role } from '../common/auth/permissions.js';
import { readMany } from '../database/direct-reads.js';
import { type Transaction } from '../database/transactions.js';
import { INVITATION_MODEL, type InvitationRecord } from './invitation.schema.js';
import { type Invitation, type NewInvitation } from './invitation.types.js';

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

@Injectable()
export class InvitationsRepository {
  constructor(@InjectModel(INVITATION_MODEL) private readonly invitations: Model<InvitationRecord>) {}

  /**
   * Stores the invitation of an address. It replaces an earlier one, whose token stops working.
   * @returns the invitation, and the role of the one that it replaced; null when none was open
   */
  async replace(
    shopId: string,
    invitation: NewInvitation,
    transaction: Transaction,
  ): Promise<{ invitation: Invitation; replacedRole: Role | null }> {
    const { tokenHash, createdAt, ...values } = invitation;
    const { email, role, invitedBy, inviterId, inviterKeyId, expiresAt } = values;
    const inviter = {
      inviterId: new Types.ObjectId(inviterId),
      inviterKeyId: inviterKeyId === null ? null : new Types.ObjectId(inviterKeyId),
    };
    const fields = { role, tokenHash, invitedBy, ...inviter, createdAt, expiresAt };
    const newId = new Types.ObjectId();
    const earlier = await this.invitations
      .findOneAndUpdate(
        { shopId, email },
        { $set: fields, $setOnInsert: { _id: newId } },
        { upsert: true, returnDocument: 'before', projection: FIELDS, session: transaction },
      )
      .lean();
    const wasOpen = earlier !== null && earlier.expiresAt > createdAt;
    return {
      invitation: { ...values, shopId, id: (earlier?._id ?? newId).toHexString() },
      replacedRole: wasOpen ? earlier.role : null,
    };
  }

  /** Counts the open invitations of other addresses. */
  async countOthers(shopId: string, email: string, now: Date, transaction: Transaction): Promise<number> {
    const others = { shopId, email: trusted({ $ne: email }), expiresAt: trusted({ $gt: now }) };
    return this.invitations.countDocuments(others, { session: transaction });
  }

  /** The invitations of a shop that are not expired, the oldest first. */
  async listOpen(shopId: string, now: Date): Promise<Invitation[]> {
    // An expired one is deleted within minutes (TTL index), so there are few that nobody wants.
    const filter = { shopId: new Types.ObjectId(shopId) };
    const records = await readMany<InvitationRecord>(this.invitations, filter, { fields: FIELDS, sort: { _id: 1 } });
    return records.filter(({ expiresAt }) => expiresAt > now).map(toInvitation);
  }

  /** The open invitation with a token; null when there is none. */
  async findByToken(tokenHash: string, now: Date): Promise<Invitation | null> {
    const record = await this.invitations.findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, FIELDS).lean();
    return record && toInvitation(record);
  }

  /** Removes an open invitation by its token and address. When several requests do it at once, exactly one gets it. */
  take(tokenHash: string, email: string, now: Date, transaction: Transaction): Promise<Invitation | null> {
    return this.removeOpen({ tokenHash, email }, now, transaction);
  }

  /** Removes an open invitation of a shop; null when there is none. */
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
