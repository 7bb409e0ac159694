import { MAX_TEMPLATES } from '../../commands/command-list.types.js';
import { MAX_COMMANDS } from '../../commands/command-template.js';
import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanField,
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
export class ProductFields {
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
    description: 'The price before the sale, in major units, above `price`; null: no sale.',
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
      'The commands that the plugin runs when delivered items are refunded in full, or their dispute is lost. The same rules apply.',
    example: ['lp user {nickname} parent remove vip'],
  })
  takeBackCommands!: readonly string[];

  @StringListField({
    ...COMMANDS,
    description:
      'The commands that the plugin runs `durationDays` after the delivery, unless the items were revoked. The same rules apply.',
    example: ['lp user {nickname} parent remove vip'],
  })
  expiryCommands!: readonly string[];

  @IntegerField({
    nullable: true,
    minimum: 1,
    maximum: 3_650,
    description: 'How many days after the delivery `expiryCommands` run; null: no expiry.',
    example: 30,
  })
  durationDays!: number | null;

  @BooleanField({
    description:
      'Whether the commands wait until the player is online. Orders keep the setting that they were placed with.',
    example: false,
  })
  requiresOnline!: boolean;

  @BooleanField({ description: 'Whether it is for sale.', example: true })
  isActive!: boolean;
}
