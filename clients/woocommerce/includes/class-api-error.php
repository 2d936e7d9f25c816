<?php
/**
 * A call that did not succeed. Its message contains no secret.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Api_Error extends \RuntimeException {

	/** @var int The HTTP status, or 0 when no response arrived. */
	public $status;
	/** @var string The code of the error, such as feed_restarted. */
	public $error_code;
	/** @var int Seconds to wait before the next attempt, if the server sent them. */
	public $retry_after;

	public function __construct( $method, $status, $text, $error_code = '', $retry_after = 0 ) {
		$this->status      = $status;
		$this->error_code  = $error_code;
		$this->retry_after = $retry_after;
		parent::__construct( "$method: " . ( 0 === $status ? '' : "$status " ) . $text );
	}

	/** Whether the same call may succeed later, also because somebody corrected the settings. */
	public function is_retryable() {
		return in_array( $this->status, array( 0, 401, 403, 408, 429 ), true ) || $this->status >= 500
			|| 'idempotency_key_in_progress' === $this->error_code;
	}
}
