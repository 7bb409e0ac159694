import { type Type } from '@nestjs/common';
import { ApiSchema, OmitType } from '@nestjs/swagger';
import { BodyToUpdate } from '../../../http/validation/derived-body.js';
import {
  FollowsRule,
  MultiLineField,
  ObjectField,
  ObjectListField,
  StringField,
  StringListField,
  UniqueEntries,
} from '../../../http/validation/fields.js';
import { type FieldOptions } from '../../../http/validation/presence.js';
import { WebUrlField } from '../../../http/validation/url.fields.js';
import { CONSENT_KINDS, type ConsentKind } from '../../consents/consent.types.js';
import { RequiredConsentDto } from '../../consents/dto/consent.dto.js';
import { legalPageProblems } from '../shop-rules.js';
import { type LegalPageName } from '../shop.types.js';

const MAX_TEXT = 20_000;
const PAGE = { text: null, url: 'https://sky-realm.example/terms' };
const SHOWN = { example: { ...PAGE, html: null } };

@ApiSchema({ description: 'A page that laws require: a text, or a page elsewhere.' })
export class LegalPageFields {
  @MultiLineField({
    optional: true,
    nullable: true,
    minLength: 1,
    maxLength: MAX_TEXT,
    description: 'The text, as small Markdown like the description of a product; null: it stands at `url`.',
    example: null,
  })
  text: string | null = null;

  @WebUrlField({
    optional: true,
    nullable: true,
    description: 'The page elsewhere; null: the text is `text`.',
    example: PAGE.url,
  })
  url: string | null = null;
}

@ApiSchema({ description: 'A page that laws require, as pages show it.' })
export class LegalPageDto extends LegalPageFields {
  @MultiLineField({
    nullable: true,
    maxLength: 20 * MAX_TEXT,
    description: 'The text as HTML that is safe on every page, like `descriptionHtml` of a product; null without one.',
    example: null,
  })
  html!: string | null;
}

const ABOUT: Readonly<Record<LegalPageName, string>> = {
  imprint: 'Who runs the shop',
  terms: 'The terms of sale',
  privacy: 'What happens to personal data',
  withdrawal: 'How a buyer withdraws from a purchase',
};

/** A legal page of the name of the field. */
function LegalPageField(type: () => Type, options: Partial<FieldOptions> = {}): PropertyDecorator {
  return (target, name) => {
    const description = `${ABOUT[name as LegalPageName]}; null: none.`;
    ObjectField({ nullable: true, description, example: PAGE, ...options }, type)(target, name);
    // After the field, so that it runs last.
    FollowsRule(legalPageProblems)(target, name);
  };
}

@ApiSchema({ description: 'The pages that laws require.' })
export class LegalPagesDto {
  @LegalPageField(() => LegalPageDto, SHOWN)
  imprint!: LegalPageDto | null;

  @LegalPageField(() => LegalPageDto, SHOWN)
  terms!: LegalPageDto | null;

  @LegalPageField(() => LegalPageDto, SHOWN)
  privacy!: LegalPageDto | null;

  @LegalPageField(() => LegalPageDto, SHOWN)
  withdrawal!: LegalPageDto | null;
}

@ApiSchema({ description: 'Legal pages to change. An absent page keeps what it is; null removes it.' })
export class UpdateLegalPagesDto {
  @LegalPageField(() => LegalPageFields, { optional: true })
  imprint?: LegalPageFields | null;

  @LegalPageField(() => LegalPageFields, { optional: true })
  terms?: LegalPageFields | null;

  @LegalPageField(() => LegalPageFields, { optional: true })
  privacy?: LegalPageFields | null;

  @LegalPageField(() => LegalPageFields, { optional: true })
  withdrawal?: LegalPageFields | null;
}

@ApiSchema({ description: 'Who sells, for receipts and the foot of pages.' })
export class SellerDto {
  @StringField({
    nullable: true,
    maxLength: 120,
    description: 'The person or company that sells; null: not given.',
    example: 'Sky Realm GmbH',
  })
  sellerName!: string | null;

  @MultiLineField({
    nullable: true,
    minLength: 1,
    maxLength: 400,
    description: 'The postal address, in several lines; null: not given.',
    example: 'Hauptstr. 1\n10115 Berlin\nGermany',
  })
  address!: string | null;

  @StringField({
    nullable: true,
    maxLength: 40,
    description: 'The number for value-added tax or the like; null: none.',
    example: 'DE123456789',
  })
  vatId!: string | null;

  @StringField({
    nullable: true,
    maxLength: 200,
    description: 'How prices relate to taxes; null: nothing is said.',
    example: 'Prices include VAT.',
  })
  taxNote!: string | null;

  @StringField({
    nullable: true,
    maxLength: 400,
    description: 'What the shop is not; null: nothing is said.',
    example: 'Sky Realm is not affiliated with Mojang or Microsoft.',
  })
  disclaimer!: string | null;
}

@ApiSchema({ description: 'Who sells, and the pages that laws require.' })
export class LegalDto extends SellerDto {
  @UniqueEntries()
  @StringListField({
    oneOf: CONSENT_KINDS,
    maxItems: CONSENT_KINDS.length,
    maxLength: 20,
    description:
      'What a checkout must have the consent of the buyer to. `terms`: to the legal page `terms`, which must exist. `immediate_delivery`: to a delivery before ' +
      'the withdrawal period ends, so that the right of withdrawal ends with it.',
    example: ['terms'],
  })
  requiredConsents!: readonly ConsentKind[];

  @ObjectListField(
    {
      maxItems: CONSENT_KINDS.length,
      description:
        'The current version of each required consent, with the sentence beside its box. Another wording of it, also of the terms, is another version.',
      example: [{ kind: 'terms', version: 1, statement: 'I accept the terms of sale.' }],
    },
    () => RequiredConsentDto,
  )
  consents!: RequiredConsentDto[];

  @ObjectField(
    {
      description: 'The pages that laws require, each as a text or as a page elsewhere.',
      example: { imprint: null, terms: SHOWN.example, privacy: null, withdrawal: null },
    },
    () => LegalPagesDto,
  )
  pages!: LegalPagesDto;
}

@ApiSchema({ description: 'Legal details to change. An absent field keeps its value.' })
export class UpdateLegalDto extends BodyToUpdate(OmitType(LegalDto, ['consents', 'pages'])) {
  @ObjectField(
    { optional: true, description: 'Legal pages to change.', example: { terms: PAGE } },
    () => UpdateLegalPagesDto,
  )
  pages?: UpdateLegalPagesDto;
}
