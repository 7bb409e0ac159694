import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { type Role } from '../../domain/principal/permissions.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { INVITATION_MODEL, type InvitationRecord } from './invitation.schema.js';
import { type Invitation, type NewInvitation } from './invitation.types.js';

/** The fields that are read: those of an `Invitation`. */
const FIELDS = { tokenHash: 0, createdAt: 0 } as const;

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
    const { email, ...fields } = invitation;
    const { tokenHash: _, createdAt, ...values } = invitation;
    const newId = newObjectId();
    const earlier = await this.invitations
      .findOneAndUpdate(
        { shopId, email },
        { $set: fields, $setOnInsert: { _id: newId } },
        { upsert: true, returnDocument: 'before', session: transaction },
      )
      .lean();
    const wasOpen = earlier !== null && earlier.expiresAt > createdAt;
    return {
      invitation: { ...values, shopId, id: earlier?._id.toHexString() ?? newId },
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
    const records = await this.invitations
      .find({ shopId, expiresAt: trusted({ $gt: now }) }, FIELDS)
      .sort({ _id: 1 })
      .lean();
    return records.map(fromStored);
  }

  /** The open invitation with a token; null when it does not exist. */
  async findByToken(tokenHash: string, now: Date): Promise<Invitation | null> {
    const record = await this.invitations.findOne({ tokenHash, expiresAt: trusted({ $gt: now }) }, FIELDS).lean();
    return record && fromStored(record);
  }

  /** An open invitation of a shop; null when it does not exist. */
  async findOpen(shopId: string, id: string, now: Date, transaction: Transaction): Promise<Invitation | null> {
    const record = await this.invitations
      .findOne({ _id: id, shopId, expiresAt: trusted({ $gt: now }) }, FIELDS)
      .session(transaction)
      .lean();
    return record && fromStored(record);
  }

  /** Removes an open invitation by its token and address. When several requests do it at once, exactly one gets it. */
  take(tokenHash: string, email: string, now: Date, transaction: Transaction): Promise<Invitation | null> {
    return this.removeOpen({ tokenHash, email }, now, transaction);
  }

  /** Removes an open invitation of a shop; null when it does not exist. */
  revoke(shopId: string, invitationId: string, now: Date, transaction: Transaction): Promise<Invitation | null> {
    return this.removeOpen({ _id: invitationId, shopId }, now, transaction);
  }

  private async removeOpen(
    which: { tokenHash: string; email: string } | { _id: string; shopId: string },
    now: Date,
    transaction: Transaction,
  ): Promise<Invitation | null> {
    const record = await this.invitations
      .findOneAndDelete({ ...which, expiresAt: trusted({ $gt: now }) }, { projection: FIELDS, session: transaction })
      .lean();
    return record && fromStored(record);
  }
}
