<?php
/**
 * Removes the settings, the key among them. What was noted at orders stays with them.
 *
 * @package Kontor\WooCommerce
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

foreach ( array( 'kontor_settings', 'kontor_storages', 'kontor_position', 'kontor_pull_lock', 'kontor_last_pull' ) as $kontor_option ) {
	delete_option( $kontor_option );
}
