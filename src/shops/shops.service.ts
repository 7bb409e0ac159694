import { Injectable } from '@nestjs/common';
import { type AuthContext, type ShopContext } from '../common/auth/auth-context.js';
import { type ShopDirectory } from '../common/auth/auth.ports.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type PageQuery } from '../common/http/page.query.dto.js';
import { type NicknameRule } from '../common/validation/nickname-rule.js';
import { Transactions } from '../database/transactions.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { settingProblems } from './shop-rules.js';
import { type Shop } from './shop.types.js';
import { ShopsRepository } from './shops.repository.js';

export interface NewShop {
  readonly uniqueName: string;
  readonly displayName: string;
  readonly currency: string;
  readonly timezone: string;
  readonly nicknameRule: NicknameRule;
}

/** Shops and their settings. */
@Injectable()
export class ShopsService implements ShopDirectory {
  constructor(
    private readonly shops: ShopsRepository,
    private readonly memberships: MembershipsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates a shop whose owner is the caller; neither exists without the other.
   * @throws AppError validation_failed, shop_name_taken
   */
  async create(auth: AuthContext, input: NewShop): Promise<Shop> {
    const problems = settingProblems(input);
    if (problems.length > 0) throw new AppError('validation_failed', { message: problems.join('; ') });
    const { uniqueName, displayName, currency, timezone, nicknameRule } = input;
    return this.transactions.run(async (transaction) => {
      const shop = await this.shops.insert(
        {
          uniqueName,
          displayName,
          currency,
          timezone,
          nicknameRule: { ...nicknameRule },
          isActive: true,
          domain: null,
          createdAt: new Date(),
          createdBy: auth.principal,
        },
        transaction,
      );
      await this.memberships.add(shop.id, auth.userId, 'owner', transaction);
      return shop;
    });
  }

  /** The caller's shops. */
  async list(auth: AuthContext, query: PageQuery): Promise<Page<Shop>> {
    const shopIds = await this.memberships.shopIdsOf(auth.userId);
    return Page.of(await this.shops.list(shopIds, query.after(), query.limit + 1), query.limit);
  }

  get({ shopId }: ShopContext): Promise<Shop> {
    return this.settingsOf(shopId);
  }

  /** Whether there is no shop at all. */
  isEmpty(): Promise<boolean> {
    return this.shops.isEmpty();
  }

  exists(shopId: string): Promise<boolean> {
    return this.shops.exists(shopId);
  }

  /** A shop's settings, whoever asks. @throws AppError shop_not_found */
  async settingsOf(shopId: string): Promise<Shop> {
    const shop = await this.shops.find(shopId);
    if (shop === null) throw new AppError('shop_not_found');
    return shop;
  }

  /** A shop as the public may see it: an inactive one does not exist. @throws AppError shop_not_found */
  async publicSettingsOf(shopId: string): Promise<Shop> {
    const shop = await this.settingsOf(shopId);
    if (!shop.isActive) throw new AppError('shop_not_found');
    return shop;
  }
}
