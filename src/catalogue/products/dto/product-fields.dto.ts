import { ImageIdListField } from '../../../http/validation/image-id.field.js';
import { MAX_TEMPLATES } from '../../commands/command-list.types.js';
import { MAX_COMMANDS } from '../../commands/command-template.js';
import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  FollowsRule,
  IdField,
  IdListField,
  IntegerField,
  MoneyField,
  MultiLineField,
  ObjectListField,
  StringField,
  StringListField,
} from '../../../http/validation/fields.js';
import { HttpsUrlListField } from '../../../http/validation/url.fields.js';
import { factProblems } from '../product-facts.js';
import { REPEAT_RULES, type RepeatRule } from '../product-ownership.js';
import { SellingTermsFields } from './selling-terms.fields.js';
import { PositionField, SlugField } from './storefront.fields.js';

const MAX_UNITS = 1_000_000_000;

/** The bounds of the commands of each stage. */
const COMMANDS = { maxItems: MAX_TEMPLATES, maxLength: 500 } as const;

@ApiSchema({ description: 'A fact about a product.' })
export class ProductFactDto {
  @StringField({ maxLength: 40, description: 'What it is about.', example: 'Homes' })
  name!: string;

  @StringField({ maxLength: 120, description: 'How it is for this product.', example: '5' })
  value!: string;
}

/** The fields that a shop writes. The bodies of POST and PATCH and the record of the response are derived from them. */
export class ProductFields extends SellingTermsFields {
  @StringField({ maxLength: 120, description: 'Name.', example: 'VIP rank' })
  name!: string;

  @SlugField({
    description: 'The name in URLs of the storefront, unique in the shop; null: none.',
    example: 'vip-rank',
  })
  slug!: string | null;

  @StringField({
    nullable: true,
    maxLength: 160,
    description: 'One line about it, for lists; null: none.',
    example: 'A golden name and five homes',
  })
  summary!: string | null;

  @MultiLineField({
    maxLength: 5000,
    description: 'Description, as small Markdown: paragraphs, lists, `**bold**` and `[links](https://example.com)`.',
    example: 'A **golden** name for 30 days.',
  })
  description!: string;

  @StringField({
    nullable: true,
    maxLength: 24,
    description: 'A word or two that stand out beside the name; null: none.',
    example: 'Popular',
  })
  label!: string | null;

  @FollowsRule((metadata: readonly ProductFactDto[], field) => factProblems(metadata, field))
  @ObjectListField(
    {
      maxItems: 20,
      description: 'Facts by which buyers compare products, in the order in which they are shown. Each name once.',
      example: [{ name: 'Homes', value: '5' }],
    },
    () => ProductFactDto,
  )
  metadata!: readonly ProductFactDto[];

  @BooleanField({ description: 'Whether the front page of the storefront shows it.', example: false })
  featured!: boolean;

  @MoneyField({ description: "Price in major units of the shop's currency.", example: 9.99 })
  price!: number;

  @MoneyField({
    nullable: true,
    description:
      'A higher price that is shown beside `price`, in major units; null: none. Only in a shop with `priceRule: none`.',
    example: 14.99,
  })
  compareAtPrice!: number | null;

  @HttpsUrlListField({
    maxItems: 10,
    maxLength: 2000,
    description: 'The URLs of pictures, the most important first.',
    example: ['https://cdn.example.com/vip.png'],
  })
  imageUrls!: readonly string[];

  @ImageIdListField({
    maxItems: 10,
    description: 'The images of the shop that show it (`POST /images/{shopId}`), the most important first.',
  })
  imageIds!: readonly string[];

  @IdField({
    nullable: true,
    description: 'The category that it is in; null: none.',
    example: '655f1c2ab1e4a9d3f0c81290',
  })
  categoryId!: string | null;

  @PositionField()
  position!: number;

  @IntegerField({
    nullable: true,
    minimum: 0,
    maximum: MAX_UNITS,
    description: 'The stock: how many units are left; null: no limit.',
    example: 100,
  })
  stock!: number | null;

  @IntegerField({
    nullable: true,
    minimum: 1,
    maximum: MAX_UNITS,
    description: 'The largest quantity in one order; null: no limit.',
    example: 5,
  })
  maxPerOrder!: number | null;

  @IntegerField({
    nullable: true,
    minimum: 1,
    maximum: MAX_UNITS,
    description:
      'The largest quantity for one buyer; null: no limit. A buyer is identified by the mailbox of the email address and by the nickname.',
    example: 1,
  })
  maxPerBuyer!: number | null;

  @IdListField({
    description: 'The game servers that it is sold for; empty: all.',
    example: ['655f1c2ab1e4a9d3f0c81260'],
  })
  serverIds!: readonly string[];

  @StringListField({
    ...COMMANDS,
    description:
      'The commands that the plugin runs when the order is paid. `{nickname}`, `{uuid}`, `{orderId}` and `{quantity}` are filled in. Each must be an ' +
      'argument of its own, with a space or a double quote directly on both sides. In double quotes, a nickname may have spaces. A command ' +
      'with `{quantity}` runs once; one without it runs once for each unit. ' +
      `One item may have at most ${MAX_COMMANDS} commands to run at once: a larger quantity cannot be ordered.`,
    example: ['lp user {nickname} parent add vip'],
  })
  commands!: readonly string[];

  @StringListField({
    ...COMMANDS,
    description:
      'The commands that the plugin runs in place of `commands` when the player owns the item already and its time is extended; empty: `commands` ' +
      'run then, too. Only where `repeat` is `extend`. The same rules apply.',
    example: ['say {nickname} has extended VIP'],
  })
  extendCommands!: readonly string[];

  @StringListField({
    ...COMMANDS,
    description:
      'The commands that the plugin runs in place of `commands` when the item replaces a lower tier that the player has in the game; empty: `commands` ' +
      'run then, too. Only for a product of a group of tiers. The same rules apply.',
    example: ['lp user {nickname} parent switchprimarygroup mvp'],
  })
  upgradeCommands!: readonly string[];

  @StringListField({
    ...COMMANDS,
    description:
      'The commands that the plugin runs when delivered items are refunded in full, or their dispute is lost, unless another purchase still gives the player ' +
      'the same. The same rules apply.',
    example: ['lp user {nickname} parent remove vip'],
  })
  takeBackCommands!: readonly string[];

  @StringListField({
    ...COMMANDS,
    description:
      'The commands that the plugin runs when the time of the item is over, unless it was revoked. The same rules apply.',
    example: ['lp user {nickname} parent remove vip'],
  })
  expiryCommands!: readonly string[];

  @IntegerField({
    nullable: true,
    minimum: 1,
    maximum: 3_650,
    description:
      'For how many days the player owns one unit from its first delivery; null: for good. Then `expiryCommands` run. Where `repeat` is ' +
      '`extend`, the days of all units and of all purchases add up.',
    example: 30,
  })
  durationDays!: number | null;

  @ChoiceField({
    oneOf: REPEAT_RULES,
    nullable: true,
    description:
      'What another purchase does while the player owns the item. `extend`: the times add up, and the refund of one purchase takes away nothing ' +
      'that another one still gives. `parallel`: each purchase is for itself, as for keys and coins. `refuse`: it cannot be ordered for a player who owns it, or has an open ' +
      'order of the same buyer for it. null: `extend` with `durationDays`, else `parallel`.',
    example: 'extend',
  })
  repeat!: RepeatRule | null;

  @IdField({
    nullable: true,
    description:
      'The product as which its purchases count, such as the same rank for another time: their times add up; null: itself. That one must ' +
      'count as itself.',
    example: null,
  })
  countsAs!: string | null;

  @BooleanField({
    description:
      'Whether who has bought it for one game server owns it on all, as in a network with one system of ranks. Otherwise purchases for two ' +
      'servers are two items.',
    example: false,
  })
  ownedEverywhere!: boolean;

  @BooleanField({
    description:
      'Whether the commands wait until the player is online. Orders keep the setting that they were placed with.',
    example: false,
  })
  requiresOnline!: boolean;

  @BooleanField({
    description:
      'Whether a full refund gives the units back to the stock although they were delivered. Units that nobody received always go back.',
    example: false,
  })
  restockOnRefund!: boolean;

  @BooleanField({ description: 'Whether it is for sale.', example: true })
  isActive!: boolean;
}
