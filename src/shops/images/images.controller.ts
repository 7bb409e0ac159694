import { Controller, Delete, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { IMAGE_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ImageIdPipe } from '../../http/validation/image-id.field.js';
import { type Page } from '../../lib/paging/page.js';
import { ImageDto } from './dto/image.dto.js';
import { ImageBodyGuard, ImageBytes } from './image-body.guard.js';
import { toImageDto } from './image.mapper.js';
import { ImagesService } from './images.service.js';

@ApiTags('Images')
@Controller('images/:shopId')
export class ImagesController {
  constructor(
    private readonly images: ImagesService,
    private readonly url: PublicUrl,
  ) {}

  @Post()
  @RequirePermissions('products:write')
  @RateLimit('imageUpload')
  @UseGuards(ImageBodyGuard)
  @DocumentedErrors('image_invalid', 'quota_reached', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiConsumes('image/png', 'image/jpeg', 'image/webp')
  @ApiBody({
    required: true,
    description: 'The file itself.',
    schema: { type: 'string', format: 'binary', description: 'A PNG, a JPEG or a WebP image of at most 5 MB.' },
  })
  @ApiOperation({
    summary: 'Upload an image',
    description:
      'The pixels are kept as WebP in three sizes; everything else of the file, such as the location of a photo, is not. At most 5 MB, ' +
      '8,192 pixels on a side and 12.5 million pixels; no animation. The same image again is the same record. An image that nothing of ' +
      'the shop uses for 7 days is removed.',
  })
  @RespondsWith(ImageDto, 'Image uploaded')
  async upload(@InShop() context: ShopContext, @ImageBytes() bytes: Buffer): Promise<ImageDto> {
    return toImageDto(await this.images.upload(context, bytes), this.url.base());
  }

  @Get()
  @RequirePermissions('products:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List images', description: 'The images of the shop, newest first.' })
  @RespondsWith([ImageDto], 'Images retrieved')
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<ImageDto>> {
    const base = this.url.base();
    return (await this.images.list(context, query)).map((image) => toImageDto(image, base));
  }

  @Delete(':imageId')
  @RequirePermissions('products:write')
  @DocumentedErrors('image_not_found', 'image_in_use')
  @ApiParam(SHOP_ID)
  @ApiParam(IMAGE_ID)
  @ApiOperation({
    summary: 'Delete an image',
    description: 'Not while a product, a category or the shop itself uses it. Caches may keep it.',
  })
  @RespondsWith(ImageDto, 'Image deleted')
  async delete(@InShop() context: ShopContext, @Param('imageId', ImageIdPipe) imageId: string): Promise<ImageDto> {
    return toImageDto(await this.images.delete(context, imageId), this.url.base());
  }
}
