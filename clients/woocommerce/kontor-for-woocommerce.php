<?php
/**
 * Plugin Name: Kontor for WooCommerce
 * Description: Sends orders to Kontor, and takes stock levels back.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * WC requires at least: 7.1
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: kontor-for-woocommerce
 *
 * This program is free software; you can redistribute it and/or modify it under the terms of the GNU General Public License as published by the
 * Free Software Foundation; either version 2 of the License, or (at your option) any later version. It is distributed without any warranty.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

foreach ( array( 'settings', 'api-error', 'api', 'queue', 'sale', 'orders', 'stock', 'webhook', 'order-screen', 'settings-screen' ) as $part ) {
	require_once __DIR__ . "/includes/class-$part.php";
}

// Orders are read and written with WooCommerce's own functions only, so it does not matter where they are stored.
add_action(
	'before_woocommerce_init',
	static function () {
		if ( class_exists( '\Automattic\WooCommerce\Utilities\FeaturesUtil' ) ) {
			\Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility( 'custom_order_tables', __FILE__, true );
		}
	}
);

add_action(
	'plugins_loaded',
	static function () {
		if ( ! function_exists( 'wc_get_order' ) ) {
			return;
		}
		Queue::register();
		Orders::register();
		Stock::register();
		Webhook::register();
		Order_Screen::register();
		Settings_Screen::register();
	}
);

register_deactivation_hook( __FILE__, array( Queue::class, 'clear' ) );
