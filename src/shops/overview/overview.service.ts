import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { MailStateService } from '../../events/mail/mail-state.service.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { ShopsService } from '../shops/shops.service.js';
import { OverviewParts } from './overview-parts.js';
import { joined, mailPart, shopPart } from './overview-rules.js';
import { type Overview } from './overview.types.js';

/** The first page of staff in one read. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly parts: OverviewParts,
    private readonly shops: ShopsService,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly mail: MailStateService,
  ) {}

  /**
   * What happens in a shop and what needs a person, of each feature that the caller may read.
   * @throws AppError shop_not_found
   */
  async read(context: ShopContext): Promise<Overview> {
    const now = new Date();
    const shop = await this.shops.settingsOf(context.shopId);
    const [contributions, problem, whoManages] = await Promise.all([
      this.parts.read(shop, context, now),
      this.mail.problem(),
      this.managersOf(shop.id),
    ]);
    const own = [shopPart(shop), mailPart(this.mail.destination, problem !== null)];
    const all = joined([...own, ...contributions], context.permissions);
    return { ...all, currency: shop.currency, whoManages, generatedAt: now };
  }

  private async managersOf(shopId: string): Promise<Overview['whoManages']> {
    const members = (await this.memberships.list(shopId, null)).filter(
      ({ role }) => role === 'owner' || role === 'admin',
    );
    const users = await this.users.byIds(
      members.map(({ userId }) => userId),
      null,
    );
    return members.flatMap(({ userId, role }) => {
      const user = users.get(userId);
      return user === undefined ? [] : [{ name: user.name, role }];
    });
  }
}
