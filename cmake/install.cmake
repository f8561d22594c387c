# What is installed where. Components: runtime (the shared library), development, tool.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bloomery)

install(TARGETS bloomery_shared EXPORT shared_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(TARGETS bloomery EXPORT static_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

# Two sets: who links the shared library needs none of the libraries that it is made of.
foreach(linkage shared static)
  install(EXPORT ${linkage}_targets NAMESPACE bloomery:: FILE bloomery-${linkage}-targets.cmake
          DESTINATION ${package_dir} COMPONENT development)
endforeach()
configure_package_config_file(cmake/bloomery-config.cmake.in ${PROJECT_BINARY_DIR}/bloomery-config.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bloomery-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bloomery-config.cmake ${PROJECT_BINARY_DIR}/bloomery-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)

# The prefix is found from where the file stands, so an installed tree may be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc ${prefix_from_pc})
configure_file(cmake/bloomery.pc.in ${PROJECT_BINARY_DIR}/bloomery.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bloomery.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES examples/article.c examples/article.cpp examples/quickstart.c examples/quickstart.cpp
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/libbloomery-dev/examples COMPONENT development)
