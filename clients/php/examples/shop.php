<?php

// A shop that sends its orders to Kontor and shows what is available there: docs/guides/connect-a-shop.md. It is served by
// `php -S 127.0.0.1:8100 clients/php/examples/shop.php`; what it knows is in the file $SHOP_STATE.

declare(strict_types=1);

use Kontor\Kontor;
use Kontor\KontorError;
use Kontor\Webhook;
use Kontor\WebhookError;

// What Composer's autoloader does with the psr-4 rule of composer.json.
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/../src/' . str_replace('\\', '/', substr($class, strlen('Kontor\\'))) . '.php';
});

$kontor = new Kontor((string) getenv('KONTOR_URL'), (string) getenv('KONTOR_KEY'));
$file = fopen((string) getenv('SHOP_STATE'), 'c+');
flock($file, LOCK_EX);
$empty = ['position' => ['after' => 0], 'available' => []];
$state = json_decode((string) stream_get_contents($file), true) ?? $empty;

/** The order of the shop has the same key and external id however often it is sent, so there is one sale. */
$place = static fn (array $order): array => $kontor->orders->add([
    'num' => (string) $order['number'],
    'external_id' => "shop-{$order['number']}",
    'customer_name' => $order['name'],
    'customer_email' => $order['email'],
    'products' => $order['lines'],
], idempotencyKey: "shop-order-{$order['number']}");

/** Reads the levels that changed since the last time. The position is stored with them, so that no change is missed or lost. */
$pull = static function (array $state) use ($kontor, $file): array {
    foreach ($kontor->stock->follow_changes($state['position'], wait: false) as $position => $level) {
        $state['available'][$level['sku']][$level['storage_id']] = $level['available'];
        $state['position'] = $position;
    }
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($state, JSON_THROW_ON_ERROR));
    return array_map(array_sum(...), $state['available']);
};

[$path, $body] = [parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), (string) file_get_contents('php://input')];
try {
    if ($path === '/webhook') {
        Webhook::verify((string) getenv('KONTOR_WEBHOOK_SECRET'), $body, getallheaders());
    }
    [$status, $answer] = [200, $path === '/checkout' ? $place(json_decode($body, true)) : $pull($state)];
} catch (WebhookError $error) {
    [$status, $answer] = [400, ['error' => $error->getMessage()]];
} catch (KontorError $error) {
    // A backup was restored: what the shop has read may never have happened.
    [$status, $answer] = $error->errorCode === 'feed_restarted'
        ? [200, $pull($empty)]
        : [$error->retryable ? 503 : 422, ['error' => $error->text]];
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
