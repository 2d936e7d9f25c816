<?php

// A webhook that was not sent by Kontor, or was changed on its way.

declare(strict_types=1);

namespace Kontor;

final class WebhookError extends \RuntimeException
{
}
