import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AuditModule } from '../../events/audit/audit.module.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { JobsModule } from '../../infrastructure/jobs/jobs.module.js';
import { QuotasModule } from '../../infrastructure/quotas/quotas.module.js';
import { ImageBodyGuard } from './image-body.guard.js';
import { ImageCodec } from './image-codec.js';
import { ImageFiles } from './image-files.js';
import { DatabaseImageFiles } from './database-image-files.js';
import { ImageFilesRepository } from './image-files.repository.js';
import { ImageReferences } from './image-references.js';
import { ImageRemovalService } from './image-removal.service.js';
import { IMAGE_FILE_MODEL, IMAGE_MODEL, imageFileSchema, imageSchema } from './image.schema.js';
import { ImagesController } from './images.controller.js';
import { ImagesRepository } from './images.repository.js';
import { ImagesService } from './images.service.js';
import { S3ImageFiles } from './s3-image-files.js';
import { PublicImagesController } from './public-images.controller.js';

@Module({
  imports: [
    AuditModule,
    JobsModule,
    QuotasModule,
    MongooseModule.forFeature([
      { name: IMAGE_MODEL, schema: imageSchema },
      { name: IMAGE_FILE_MODEL, schema: imageFileSchema },
    ]),
  ],
  // `images/:shopId/:imageId` also matches the paths of the first one: the first match counts.
  controllers: [PublicImagesController, ImagesController],
  providers: [
    ImagesRepository,
    ImageFilesRepository,
    DatabaseImageFiles,
    {
      provide: ImageFiles,
      useFactory: ({ imageStorage }: AppConfig, inDatabase: DatabaseImageFiles): ImageFiles =>
        imageStorage === null ? inDatabase : new S3ImageFiles(imageStorage),
      inject: [AppConfig, DatabaseImageFiles],
    },
    ImageCodec,
    ImageReferences,
    ImagesService,
    ImageRemovalService,
    ImageBodyGuard,
  ],
  exports: [ImagesService, ImageReferences],
})
export class ImagesModule {}
