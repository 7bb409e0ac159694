import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { violatedIndex } from '../../infrastructure/database/database-errors.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { MAIL_DOMAIN_MODEL, type MailDomainRecord } from './mail-domain.schema.js';

/** Longer than the longest wait between two attempts to send an email, so a record stays while an email to its domain waits. */
export const DOMAIN_RETENTION_MS = DAY_MS;

/** The latest outcomes of emails by domain. Nothing else is written with them, so no write here is part of a transaction. */
@Injectable()
export class MailDomainsRepository {
  constructor(@InjectModel(MAIL_DOMAIN_MODEL) private readonly domains: Model<MailDomainRecord>) {}

  accepted(domainHash: string, at: Date): Promise<void> {
    return this.record(domainHash, { acceptedAt: at }, at);
  }

  refused(domainHash: string, at: Date): Promise<void> {
    return this.record(domainHash, { refusedAt: at }, at);
  }

  /** When an email was last accepted since a time; null: none was. @param except a domain that does not count; null: all count */
  async latestAcceptance(since: Date, except: string | null): Promise<Date | null> {
    const latest = await this.domains
      .findOne({ acceptedAt: trusted({ $gte: since }), ...others(except) }, { acceptedAt: 1 })
      .sort({ acceptedAt: -1 })
      .lean();
    return latest?.acceptedAt ?? null;
  }

  /** How many domains were refused after a time, at most `limit`. @param except a domain that does not count; null: all count */
  async countRefused(after: Date, except: string | null, limit: number): Promise<number> {
    const refused = await this.domains
      .find({ refusedAt: trusted({ $gt: after }), ...others(except) }, { _id: 1 })
      .limit(limit)
      .lean();
    return refused.length;
  }

  private async record(
    domainHash: string,
    outcome: Partial<Pick<MailDomainRecord, 'acceptedAt' | 'refusedAt'>>,
    at: Date,
  ): Promise<void> {
    const change = { $set: { ...outcome, forgetAt: new Date(at.getTime() + DOMAIN_RETENTION_MS) } };
    try {
      await this.domains.updateOne({ domainHash }, change, { upsert: true });
    } catch (error) {
      if (violatedIndex(error) === null) throw error;
      // Another attempt has inserted the record at the same moment.
      await this.domains.updateOne({ domainHash }, change);
    }
  }
}

function others(except: string | null): object {
  return except === null ? {} : { domainHash: trusted({ $ne: except }) };
}
