import { ApiSchema } from '@nestjs/swagger';
import {
  ChoiceField,
  IntegerField,
  MultiLineField,
  QueryIntegerField,
  StringField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { WebUrlField } from '../../../http/validation/url.fields.js';
import { CONSENT_KINDS, type ConsentKind, MAX_CONSENT_VERSION } from '../consent.types.js';

const KIND = {
  oneOf: CONSENT_KINDS,
  description:
    'What the buyer agrees to. `terms`: the terms of sale. `immediate_delivery`: that the delivery begins before the withdrawal period ends, so that ' +
    'the right of withdrawal ends with it.',
  example: 'terms',
};
const VERSION = { minimum: 1, maximum: MAX_CONSENT_VERSION, description: 'The version of the wording.', example: 1 };

@ApiSchema({ description: 'A consent of a buyer, or one that a shop requires.' })
export class ConsentDto {
  @ChoiceField(KIND)
  kind!: ConsentKind;

  @IntegerField(VERSION)
  version!: number;
}

@ApiSchema({ description: 'A consent that a shop requires, with the sentence beside its box.' })
export class RequiredConsentDto extends ConsentDto {
  @StringField({ maxLength: 400, description: 'The sentence beside the box.', example: 'I accept the terms of sale.' })
  statement!: string;
}

export class ConsentTextQuery {
  @ChoiceField(KIND)
  kind!: ConsentKind;

  @QueryIntegerField(VERSION)
  version!: number;
}

@ApiSchema({ description: 'What buyers agreed to who accepted a version.' })
export class ConsentTextDto extends RequiredConsentDto {
  @StringField({
    maxLength: 64,
    description: 'SHA-256 of the JSON list of `statement`, `text` and `url`, in hexadecimal digits.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  hash!: string;

  @MultiLineField({
    nullable: true,
    maxLength: 20_000,
    description: 'The document that the sentence names; null without one, and for a page elsewhere.',
    example: null,
  })
  text!: string | null;

  @WebUrlField({
    nullable: true,
    description: 'The page elsewhere that the sentence names; null without one.',
    example: 'https://sky-realm.example/terms',
  })
  url!: string | null;

  @TimestampField({ description: 'Since when the version exists.', example: '2026-11-21T12:00:00.000Z' })
  createdAt!: string;
}
